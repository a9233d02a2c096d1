import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { beforeEach, expect, inject, test } from 'vitest';
import { toDocumentClient } from '#lib/runtime/dynamodb-client.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
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

let tables: Tables;
beforeEach(async ({ task }) => {
  tables = await openTables(`lost-${task.id}`);
});

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
  const data = {
    apiKeys: [{ key: 'sfk_seed', tenantId: 't', scope: 'PRODUCT', roles: ['editor'], createdAt: 1 }],
    spaces: [{ tenantId: 't', spaceId: 's', ownerId: 'o', visibility: 'public' }],
    files: [{ spaceId: 's', fileId: 'f', language: 'en', domain: 'd', version: 7 }],
  };
  const counts = async () => (await tables.everything()).map(({ length }) => length);
  const { client, arriveLate } = connect();
  await loadData(client, tables.names, data);
  expect(await counts()).toEqual([1, 1, 1]);
  const file = await tables.getFile('s', 'f');
  await tables.putFile({ ...file, version: 8 });
  expect(await arriveLate()).toBe(3);
  expect(await tables.getFile('s', 'f')).toMatchObject({ version: 8 });
  expect(await removeData(connect().client, tables.names, data)).toBe(3);
  expect(await counts()).toEqual([0, 0, 0]);
});
