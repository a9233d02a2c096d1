import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStore } from '#lib/runtime/deps.ts';
import { aCall } from '#test/support/call.ts';
import { withFates } from '#test/support/faults.ts';
import { aFile, aFileView, FILE_ID, FIRST_VERSION, NOW } from '#test/support/given.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { versions, type Writer, writerOf } from './support/writer.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('fence-lost');
});
beforeEach(() => tables.putFile(aFile()));

const aWriter = (writer?: Writer) => writerOf(tables, writer);
const stored = () => tables.getFile('handbook', FILE_ID);

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
