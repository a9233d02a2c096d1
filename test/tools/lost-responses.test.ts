import { ConditionalCheckFailedException, DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { HttpRequest } from '@smithy/core/protocols';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import { beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { hashApiKey } from '#lib/domain/api-key.ts';
import { toDocumentClient } from '#lib/runtime/dynamodb-client.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { perform, readCommand } from '#tools/tables/api-key.ts';
import { openApiKeys } from '#tools/tables/api-keys-table.ts';
import { loadData, removeData } from '#tools/tables/data.ts';
import { isUnapplied } from '#tools/tables/tables.ts';

/*
 * The tools use the SDK's own retries. So a call can be applied although its response is lost, and DynamoDB then rejects
 * the copy that the SDK sends. Here the SDK, with its retries, calls the engine, and the response to one call is lost.
 */

/** The response to a call is lost once, or each time that the SDK sends it. */
type Loss = 'once' | 'always' | 'never';

/** A client that loses the response to its call number `lost`. `calls` has the names of its calls so far. */
const connect = (lost: number, loss: Loss) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const retryStrategy = new ConfiguredRetryStrategy(3, 0);
  const endpoint = inject('endpoint');
  const client: DynamoDBDocumentClient = toDocumentClient(
    new DynamoDBClient({ endpoint, region: 'us-east-1', credentials, retryStrategy }),
  );
  const calls = new Map<string, string>();
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const headers = HttpRequest.isInstance(args.request) ? args.request.headers : {};
        const id = String(headers['amz-sdk-invocation-id']);
        const isFirstAttempt = !calls.has(id);
        calls.set(id, commandName);
        const isLost = [...calls.keys()].indexOf(id) + 1 === lost && (loss === 'always' || isFirstAttempt);
        if (!isLost || loss === 'never') return next(args);
        // Applied or rejected: nobody learns which.
        await next(args).catch(() => undefined);
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      },
    { step: 'finalizeRequest', priority: 'low' },
  );
  return { client, calls: () => [...calls.values()] };
};

const now = 1_800_000_000;
const week = 604_800;
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 }));

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('lost-responses');
});

describe('api-key', () => {
  let tenants = 0;
  /** Runs a command for a tenant with one key, `old`. Returns what it shows or throws, and the keys of the tenant. */
  const run = async (command: string, lost: number, loss: Loss, old: object = {}) => {
    tenants += 1;
    const [tenantId, keyId] = [`tenant-${tenants}`, `old-${tenants}`];
    const Item = { keyHash: hashApiKey(keyId), keyId, tenantId, scope: 'PRODUCT', roles: ['editor'], ...old };
    await tables.client.send(new PutCommand({ TableName: tables.config.apiKeysTable, Item }));
    const { client, calls } = connect(lost, loss);
    const line = command.replace('TENANT', tenantId).replace('OLD', keyId).split(' ');
    let shown = '';
    const problem = await perform(
      openApiKeys(client, tables.config.apiKeysTable),
      readCommand(line).command,
      async (text) => {
        shown += text;
      },
    ).catch((error: unknown) => `${error}`);
    const stored = await openApiKeys(tables.client, tables.config.apiKeysTable).list();
    const ofTenant = stored.filter((key) => key.tenantId === tenantId);
    const keys = ofTenant.map((key) => [
      key.keyId === keyId ? 'old' : 'new',
      key.state,
      ...(key.expiresAt === undefined ? [] : [key.expiresAt - now]),
    ]);
    const text = `${shown}${problem ?? ''}`
      .replaceAll(keyId, 'OLD')
      .replaceAll(tenantId, 'TENANT')
      .replace(/\bkey_\w{12}\b/g, 'NEW')
      .replace(/\bsfk_\w{43}$/m, 'KEY');
    const isShown = /^sfk_\w{43}$/m.test(shown);
    return { calls: calls(), failed: problem !== undefined, isShown, keys: keys.toSorted(), text };
  };

  const put = 'PutItemCommand';
  const [scan, update, get] = ['ScanCommand', 'UpdateItemCommand', 'GetItemCommand'];
  const create = 'create --tenant TENANT --role editor';
  const active = ['old', 'active'];
  const created = ['new', 'active'];

  test.each<[string, string[], unknown[][]]>([
    [create, [put], [created, active]],
    ['rotate OLD', [scan, put, update, get], [created, ['old', 'active', week]]],
    ['revoke OLD', [scan, update], [['old', 'revoked']]],
    ['list --tenant TENANT', [scan], [active]],
  ])(
    '`%s` has the same effect and output if the response to one of its calls is lost once',
    async (line, calls, keys) => {
      const expected = await run(line, 0, 'never');
      expect(expected).toMatchObject({
        calls,
        failed: false,
        keys,
      });
      for (const lost of calls.keys())
        expect({ lost, ...(await run(line, lost + 1, 'once')) }).toEqual({ lost, ...expected });
    },
  );

  const lostText = 'socket hang up';
  const mayExist = `UsageError: NEW may have been created, and its plain text is lost: ${lostText}. If \`list\` shows it, revoke it. Nothing else was changed.`;
  const noEnd = `UsageError: NEW was created, but the old key may not have got its end: ${lostText}. Revoke the key that nobody uses.`;
  test.each<[string, number, boolean, unknown[][], string]>([
    [create, 1, false, [created, active], mayExist],
    ['rotate OLD', 1, false, [active], `Error: ${lostText}`],
    ['rotate OLD', 2, false, [created, active], mayExist],
    ['rotate OLD', 3, true, [created, ['old', 'active', week]], noEnd],
    ['rotate OLD', 4, true, [created, ['old', 'active', week]], noEnd],
    ['revoke OLD', 1, false, [active], `Error: ${lostText}`],
    [
      'revoke OLD',
      2,
      false,
      [['old', 'revoked']],
      `UsageError: The API key may still be valid: ${lostText}. Run the command again.`,
    ],
    ['list', 1, false, [active], `Error: ${lostText}`],
  ])(
    '`%s` says what may exist if each response to call %i is lost',
    async (line, lost, isShown, keys, problem) => {
      const { text, ...rest } = await run(line, lost, 'always');
      expect(rest).toMatchObject({ failed: true, isShown, keys });
      expect(text.slice(-problem.length)).toBe(problem);
    },
  );

  test('`revoke` says that a key was revoked before only if it has not done so itself', async () => {
    const revoked = { revokedAt: now };
    expect((await run('revoke OLD', 0, 'never', revoked)).text).toBe('OLD was revoked before.\n');
    // The first copy was rejected, or was applied: both look the same, in one second.
    expect((await run('revoke OLD', 2, 'once', revoked)).text).toBe('OLD is revoked.\n');
    expect((await run('revoke OLD', 2, 'once')).text).toBe('OLD is revoked.\n');
  });
});

describe('seed', () => {
  const Items = () => tables.everything();
  const data = {
    apiKeys: [{ key: 'sfk_seed', tenantId: 't', scope: 'PRODUCT', roles: ['editor'], createdAt: 1 }],
    spaces: [{ tenantId: 't', spaceId: 's', ownerId: 'o', visibility: 'public' }],
    files: [{ spaceId: 's', fileId: 'f', language: 'en', domain: 'd', version: 7 }],
  };
  const [put, get, remove] = ['PutItemCommand', 'GetItemCommand', 'DeleteItemCommand'];
  const write = (client = tables.client) => loadData(client, tables.names, data);
  const clear = (client = tables.client) => removeData(client, tables.names, data);
  const places = ['apiKeys[0]', 'spaces[0]', 'files[0]'];
  /** How many records of the data the tables have. */
  const count = async () => (await Items()).flat().filter((item) => 'seeded' in item).length;

  beforeEach(async () => void (await clear()));

  test.each([
    ['writes', 3, async () => {}, write, [put, put, put]],
    ['writes no record that exists', 0, write, write, [put, put, put]],
    ['removes', 3, write, clear, [get, remove, get, remove, get, remove]],
    ['removes no record that does not exist', 0, async () => {}, clear, [get, get, get]],
  ] as const)(
    '%s, and counts %i records, if the response to one call is lost once',
    async (_, changed, before, command, calls) => {
      for (const lost of [0, ...calls.map((_, index) => index + 1)]) {
        await clear();
        await before();
        const { client, calls: seen } = connect(lost, 'once');
        expect({ lost, changed: await command(client), calls: seen() }).toEqual({ lost, changed, calls });
      }
    },
  );

  test.each([0, 1, 2])('`write` says what may exist if each response to record %i is lost', async (index) => {
    const { client } = connect(index + 1, 'always');
    await expect(write(client)).rejects.toThrow(
      `${places[index]}: socket hang up. ${index} records were written before it, and it may be written too: run the command again.`,
    );
    expect(await count()).toBe(index + 1);
    expect(await write()).toBe(2 - index);
  });

  test.each([0, 1, 2])(
    '`remove` says what may be removed if each response to record %i is lost',
    async (index) => {
      await write();
      const reading = connect(2 * index + 1, 'always');
      await expect(clear(reading.client)).rejects.toThrow(
        new RegExp(`socket hang up\\. ${index} records were removed before it\\.$`),
      );
      await clear();
      await write();
      const { client } = connect(2 * index + 2, 'always');
      await expect(clear(client)).rejects.toThrow(
        `${places[index]}: socket hang up. ${index} records were removed before it, and it may be removed too: run the command again.`,
      );
      expect(await count()).toBe(2 - index);
      expect(await clear()).toBe(2 - index);
    },
  );

  test('a late copy of a deletion removes nothing that was written again, or updated since', async () => {
    const copies: DeleteItemCommand[] = [];
    const { client } = connect(0, 'never');
    client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          if (commandName === remove) copies.push(new DeleteItemCommand(Object(args.input)));
          return next(args);
        },
      { step: 'initialize' },
    );
    await write();
    expect(await clear(client)).toBe(3);
    // The same records, with the same version.
    await write();
    const before = await Items();
    for (const copy of copies)
      await expect(tables.client.send(copy)).rejects.toThrow(ConditionalCheckFailedException);
    expect(copies).toHaveLength(3);
    expect(await Items()).toStrictEqual(before);
  });

  test('`remove` leaves a file that is updated at the same time, and says so', async () => {
    await write();
    const { client } = connect(0, 'never');
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const { TableName } = Object(args.input);
          if (commandName === remove && TableName === tables.names.FILES_TABLE) {
            const [file] = Object.values(await tables.files());
            await tables.putFile({ ...file, version: 8 });
          }
          return next(args);
        },
      { step: 'initialize' },
    );
    await expect(clear(client)).rejects.toThrow(
      'files[0]: It was changed at the same time: run the command again. 2 records were removed before it.',
    );
    expect(await tables.getFile('s', 'f')).toMatchObject({ version: 8 });
  });
});

const rejection = (attempts: number) =>
  new ConditionalCheckFailedException({ message: 'no', $metadata: { attempts } });

test.each<[string, unknown, boolean]>([
  ['was never sent', new Error('Region is missing'), true],
  ['was rejected, and sent once', rejection(1), true],
  ['was rejected, and sent twice', rejection(2), false],
  ['met an error of the server', { $metadata: { attempts: 1 }, $fault: 'server' }, false],
  ['got no response', { code: 'ECONNRESET', $metadata: { attempts: 1 } }, false],
])('a call that %s is surely not applied: %s', (_, error, expected) => {
  expect(isUnapplied(error)).toBe(expected);
});
