import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aCall } from '#test/support/call.ts';
import type { Fate } from '#test/support/faults.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION, NOW } from '#test/support/given.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { versions, type Writer, writerOf } from './support/writer.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('fence-refused');
});
beforeEach(() => tables.putFile(aFile()));

const aWriter = (writer?: Writer) => writerOf(tables, writer);
const stored = () => tables.getFile('handbook', FILE_ID);

describe('a writer that is refused', () => {
  test('because another was faster, takes the next version and writes its own field only', async () => {
    const other = async () => void (await aWriter({ user: 'ada' })({ documentKind: 'memo' }, aCall('other')));
    const call = aCall();
    const answer = await aWriter({ fates: [other] })({ summary: 'Mine.' }, call);
    expect(answer).toEqual({
      file: aFileView({ summary: 'Mine.', documentKind: 'memo' }),
      version: FIRST_VERSION + 1,
    });
    expect(call.tally).toEqual({ retries: 0, unknown: 0, refusals: 1 });
  });

  test('because its clock is an hour behind, takes the stored version plus one', async () => {
    await aWriter()({ summary: 'First.' }, aCall('other'));
    const answer = await aWriter({ now: () => NOW - 3_600_000 })({ summary: 'Second.' });
    expect(answer).toEqual({ file: aFileView({ summary: 'Second.' }), version: FIRST_VERSION + 1 });
  });

  test('with If-Match that still matches but a clock behind, writes all the same', async () => {
    await aWriter()({ summary: 'First.' }, aCall('other'));
    const behind = aWriter({ now: () => NOW - 1 });
    const answer = await behind({ summary: 'Second.' }, aCall(), versions(FIRST_VERSION));
    expect(answer.version).toBe(FIRST_VERSION + 1);
  });

  test('with If-Match that no longer matches, is told the current version and changes nothing', async () => {
    await aWriter()({ summary: 'First.' }, aCall('other'));
    const before = await stored();
    const write = aWriter()({ summary: 'Second.' }, aCall(), versions(0, FIRST_VERSION - 1));
    await expect(write).rejects.toMatchObject({ code: 'file-changed', details: { version: FIRST_VERSION } });
    expect(await stored()).toEqual(before);
  });

  test('over and over, gives way after 20 times', async () => {
    let writes = 0;
    const other = async () => {
      writes += 1;
      await tables.putFile(aFile({ version: FIRST_VERSION + 1000 * writes, requestId: 'other' }));
    };
    const call = aCall();
    const write = aWriter({ fates: Array<Fate>(30).fill(other) })({ summary: 'Mine.' }, call);
    await expect(write).rejects.toMatchObject({
      code: 'unavailable',
      message: 'other writers were faster 20 times',
    });
    expect({ writes, tally: call.tally }).toEqual({
      writes: 20,
      tally: { retries: 0, unknown: 0, refusals: 20 },
    });
  });
});
