import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { beforeEach, expect, inject, test } from 'vitest';
import { hashApiKey } from '#lib/domain/api-key.ts';
import { toDocumentClient } from '#lib/runtime/dynamodb-client.ts';
import { type EngineTables, openTables } from '#test/support/tables.ts';
import { UsageError } from '#tools/cli.ts';
import { perform, readCommand } from '#tools/tables/api-key.ts';
import { openApiKeys } from '#tools/tables/api-keys-table.ts';
import { loadData, removeData } from '#tools/tables/data.ts';

/*
 * The tools use the SDK's own retries. So a call can be applied although its response is lost, and a copy of it can arrive
 * later. Here the response to the first attempt of each call is lost.
 */
const connect = () => {
  const client = toDocumentClient(
    new DynamoDBClient({
      endpoint: inject('endpoint'),
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      retryStrategy: new ConfiguredRetryStrategy(3, 0),
    }),
  );
  const copies: (() => Promise<unknown>)[] = [];
  let attempts = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      attempts += 1;
      if (attempts % 2 === 0) return next(args);
      const send = () => next(args).catch(() => undefined);
      copies.push(send);
      await send();
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  /** Lets a copy of each call arrive again. */
  const arriveLate = async () => {
    for (const send of copies) await send();
    return copies.length;
  };
  return { client, arriveLate };
};

let tables: EngineTables;
beforeEach(async ({ task }) => {
  tables = await openTables(`lost-${task.id}`);
});

/** The data of one record of each table. It names the version, so that a second write of the file has the same one. */
const data = {
  apiKeys: [{ key: 'sfk_seed', tenantId: 't', scope: 'PRODUCT', roles: ['editor'], createdAt: 1 }],
  spaces: [{ tenantId: 't', spaceId: 's', ownerId: 'o', visibility: 'public' }],
  files: [{ spaceId: 's', fileId: 'f', language: 'en', domain: 'd', version: 7 }],
};
/** The table of each record. */
const stored = async () => Object.keys(await tables.records()).map((name) => name.split(' ')[0]);
/** As the function updates a file. */
const update = async () => {
  const file = await tables.get('files', { spaceId: 's', fileId: 'f' });
  await tables.put('files', { ...file, version: Number(file?.['version']) + 1 });
};

test('each command for keys does once what it says, and late copies of its calls change nothing', async () => {
  const run = async (line: string) => {
    const { client, arriveLate } = connect();
    let shown = '';
    await perform(
      openApiKeys(client, tables.config.apiKeysTable),
      readCommand(line.split(' ')).command,
      async (text) => {
        shown += text;
      },
    );
    return { arriveLate, keyId: /\bkey_\w{12}\b/.exec(shown)?.[0] ?? '' };
  };
  const states = async () => {
    const keys = await openApiKeys(tables.client, tables.config.apiKeysTable).list();
    return Object.fromEntries(
      keys.map(({ keyId, state, expiresAt }) => [keyId, `${state} ${expiresAt !== undefined}`]),
    );
  };
  const created = await run('create --tenant acme --role editor');
  const { keyId: first } = created;
  const rotated = await run(`rotate ${first}`);
  const { keyId: second } = rotated;
  expect(await states()).toEqual({ [first]: 'active true', [second]: 'active false' });
  const revoked = await run(`revoke ${first}`);
  await run(`revoke ${second}`);
  const calls = [];
  for (const { arriveLate } of [created, rotated, revoked]) calls.push(await arriveLate());
  expect(calls).toEqual([1, 4, 2]);
  expect(await states()).toEqual({ [first]: 'revoked true', [second]: 'revoked false' });
});

test('`seed` writes and removes each record, and late copies of its writes change nothing', async () => {
  const written = connect();
  expect(await loadData(written.client, tables.names, data)).toBe(3);
  expect(await stored()).toEqual(['apiKeys', 'spaces', 'files']);
  await update();
  expect(await written.arriveLate()).toBe(3);
  expect(await tables.get('files', { spaceId: 's', fileId: 'f' })).toMatchObject({ version: 8 });
  const removed = connect();
  expect(await removeData(removed.client, tables.names, data)).toBe(3);
  expect(await stored()).toEqual([]);
  expect(await loadData(tables.client, tables.names, data)).toBe(3);
  const again = await tables.records();
  expect(await removed.arriveLate()).toBe(9);
  expect(await tables.records()).toStrictEqual(again);
});

test('`seed remove` leaves and names a file that is updated at the same time', async () => {
  await loadData(tables.client, tables.names, data);
  const { client, arriveLate } = connect();
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'DeleteItemCommand') await update();
        return next(args);
      },
    { step: 'initialize' },
  );
  await expect(removeData(client, tables.names, data)).rejects.toThrow(
    new UsageError('files[0]: It was changed at the same time. Run the command again.'),
  );
  await arriveLate();
  expect(await stored()).toEqual(['files']);
});

test.each(['create --tenant acme --role editor', 'rotate key_old'])(
  '`%s` names the new key if no response comes',
  async (line) => {
    const old = { keyHash: hashApiKey('old'), keyId: 'key_old', ...data.apiKeys[0] };
    await tables.client.send(new PutCommand({ TableName: tables.names.API_KEYS_TABLE, Item: old }));
    tables.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const result = await next(args);
          if (commandName === 'PutItemCommand') throw new Error('socket hang up');
          return result;
        },
      { step: 'initialize' },
    );
    const apiKeys = openApiKeys(tables.client, tables.config.apiKeysTable);
    const error: unknown = await perform(apiKeys, readCommand(line.split(' ')).command, async () =>
      expect.unreachable(),
    ).catch((reason: unknown) => reason);
    const [, keyId] =
      /^The table could not be used: socket hang up\. If `list` shows the new key (key_\w{12}), revoke it: nobody has it\.$/.exec(
        String(error).replace('UsageError: ', ''),
      ) ?? [];
    const ends = (await apiKeys.list()).map(({ keyId, state, expiresAt }) => [keyId, state, expiresAt]);
    expect(ends).toEqual([
      ['key_old', 'active', undefined],
      [keyId, 'active', undefined],
    ]);
  },
);
