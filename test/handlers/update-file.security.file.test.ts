import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { aFile, FILE_ID } from '#test/support/given.ts';
import { anError, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';
import { refuseTapped } from './support/refuse.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('security-file');
});
beforeEach(() => putGiven(tables));

const fileNotFound = anError(404, 'File not found');
const refuse = (event: unknown) => refuseTapped(tables, event);

describe('the file', () => {
  test.each([
    ['of another space', '11111111-0000-4000-8000-000000000000'],
    ['in upper case', FILE_ID.toUpperCase()],
    ['that is no UUID', 'unknown'],
    ['of 1025 bytes', 'é'.repeat(513)],
    ['with an empty id', ''],
    ['named by a path', `../files/${FILE_ID}`],
  ])('%s is not found and not made', async (_, fileId) => {
    await tables.putFile(aFile({ spaceId: 'other', fileId: '11111111-0000-4000-8000-000000000000' }));
    const { response, reason } = await refuse(anEvent({ fileId }));
    expect(response).toEqual(fileNotFound);
    const isStorable = fileId !== '' && Buffer.byteLength(fileId) <= 1024;
    expect(reason).toBe(isStorable ? 'space has no such file' : 'file id is one that no table could hold');
  });

  test.each(['a#b', 'a/b', 'a,b', 'a|b', '%2e', 'ü'])(
    'id %j names that file alone, in both formats',
    async (fileId) => {
      await tables.putFile(aFile({ fileId }));
      const before = await tables.getFile('handbook', FILE_ID);
      const { statusCode } = await startService(tables).send(anEvent({ fileId }));
      const encoded = aRestEvent({ fileId: encodeURIComponent(fileId) });
      expect([statusCode, (await startService(tables).send(encoded)).statusCode]).toEqual([200, 200]);
      expect(await tables.getFile('handbook', FILE_ID)).toEqual(before);
    },
  );

  test('a path that cannot be decoded names nothing', async () => {
    expect((await refuse(aRestEvent({ fileId: '%ff' }))).response).toEqual(fileNotFound);
  });
});
