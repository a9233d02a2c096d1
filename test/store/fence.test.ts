import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import type { Precondition } from '#lib/domain/precondition.ts';
import { createStore } from '#lib/store/store.ts';
import { aCall } from '#test/support/call.ts';
import { type Fate, withFates } from '#test/support/faults.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION, NOW } from '#test/support/given.ts';
import { openTables, type Tables } from '#test/support/tables.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('fence');
});
beforeEach(() => tables.putFile(aFile()));

type Writer = { now?: () => number; fates?: readonly Fate[]; user?: string };

const aWriter = ({ now = () => NOW, fates = [], user = 'grace' }: Writer = {}) => {
  const client = withFates(tables.client, fates);
  const { updateFile } = createStore({ client, config: tables.config, now, random: () => 0 });
  return (patch: FilePatch, call = aCall(), precondition: Precondition = { kind: 'none' }) =>
    updateFile({ spaceId: 'handbook', fileId: FILE_ID, patch, precondition, updatedBy: user }, call);
};
const stored = () => tables.getFile('handbook', FILE_ID);
const versions = (...list: number[]): Precondition => ({ kind: 'versions', versions: list });

describe('an attempt whose reply is lost', () => {
  test('but which was applied, is found again by its request id and answered from the item', async () => {
    const call = aCall();
    const answer = await aWriter({ fates: ['lost after'] })({ summary: 'Mine.' }, call);
    expect(answer).toEqual({ file: aFileView({ summary: 'Mine.' }), version: FIRST_VERSION });
    expect(call.tally).toEqual({ retries: 1, unknown: 1, refusals: 0 });
    expect(await stored()).toStrictEqual({
      ...aFile(),
      summary: 'Mine.',
      version: FIRST_VERSION,
      requestId: 'request-1',
      updatedBy: 'grace',
    });
  });

  test('and which was not applied, is sent again', async () => {
    const answer = await aWriter({ fates: ['lost before', 'lost before'] })({ summary: 'Mine.' });
    expect(answer).toEqual({ file: aFileView({ summary: 'Mine.' }), version: FIRST_VERSION });
  });

  test('with If-Match, is answered 200 although the version has moved: it was moved by us', async () => {
    const answer = await aWriter({ fates: ['lost after'] })({ summary: 'Mine.' }, aCall(), versions(0));
    expect(answer.version).toBe(FIRST_VERSION);
  });

  test('and which another writer has overwritten since, is written again on top', async () => {
    const other = async () =>
      void (await aWriter({ now: () => NOW + 1 })({ documentKind: 'memo' }, aCall('other')));
    const call = aCall();
    const answer = await aWriter({ fates: ['lost after', other] })({ summary: 'Mine.' }, call);
    expect(answer).toEqual({
      file: aFileView({ summary: 'Mine.', documentKind: 'memo' }),
      version: FIRST_VERSION + 1001,
    });
    expect(call.tally).toEqual({ retries: 1, unknown: 1, refusals: 1 });
  });

  test('with If-Match, and which another writer has overwritten since, is unknown and not "changed by another"', async () => {
    const other = async () =>
      void (await aWriter({ now: () => NOW + 1 })({ summary: 'Other.' }, aCall('other')));
    const write = aWriter({ fates: ['lost after', other] })({ summary: 'Mine.' }, aCall(), versions(0));
    await expect(write).rejects.toMatchObject({
      code: 'unavailable',
      message: 'If-Match no longer matches after an attempt with unknown outcome',
    });
  });

  test('lands late and replaces nothing that was acknowledged since', async () => {
    const late = new UpdateCommand({ TableName: tables.config.filesTable, Key: {} });
    const spy = withFates(tables.client, []);
    const capture: typeof spy.send = (command: unknown, ...rest: unknown[]) => {
      if (command instanceof UpdateCommand && Object.keys(late.input.Key ?? {}).length === 0)
        Object.assign(late.input, command.input);
      return Reflect.apply(tables.client.send, tables.client, [command, ...rest]);
    };
    const client = new Proxy(tables.client, {
      get: (t, name) => (name === 'send' ? capture : Reflect.get(t, name)),
    });
    const mine = createStore({ client, config: tables.config, now: () => NOW, random: () => 0 });
    const update = { spaceId: 'handbook', fileId: FILE_ID, patch: { summary: 'Mine.' }, updatedBy: 'grace' };
    await mine.updateFile({ ...update, precondition: { kind: 'none' } }, aCall());
    const acknowledged = await aWriter()({ summary: 'Newer.' }, aCall('other'));

    const lateReply = tables.client.send(new UpdateCommand(late.input));
    await expect(lateReply).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect(await stored()).toMatchObject({ summary: 'Newer.', version: acknowledged.version });
  });
});

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

describe('writers at the same time', () => {
  test('two of them on two fields lose nothing', async () => {
    await Promise.all([
      aWriter()({ summary: 'By one.' }, aCall('one')),
      aWriter()({ documentKind: 'by another' }, aCall('another')),
    ]);
    expect(await stored()).toMatchObject({ summary: 'By one.', documentKind: 'by another' });
  });

  test('60 of them on one file are all acknowledged, each at a version of its own, and the last one stands', async () => {
    const write = aWriter({ now: Date.now });
    const writers = Array.from({ length: 60 }, (_, n) =>
      write({ summary: `By ${n}.` }, aCall(`request-${n}`)),
    );
    const answers = await Promise.all(writers);
    expect(answers.map(({ file }) => file.summary)).toEqual(Array.from({ length: 60 }, (_, n) => `By ${n}.`));
    expect(new Set(answers.map(({ version }) => version)).size).toBe(60);
    const last = answers.reduce((newest, answer) => (answer.version > newest.version ? answer : newest));
    expect(await stored()).toMatchObject({ summary: last.file.summary, version: last.version });
  });

  test('12 of them with clocks of their own lose nothing either', async () => {
    const writers = Array.from({ length: 12 }, (_, n) =>
      aWriter()({ summary: `By ${n}.` }, aCall(`request-${n}`)),
    );
    const answers = await Promise.all(writers);
    const last = answers.reduce((newest, answer) => (answer.version > newest.version ? answer : newest));
    expect(new Set(answers.map(({ version }) => version)).size).toBe(12);
    expect(await stored()).toMatchObject({ summary: last.file.summary, version: last.version });
  });
});
