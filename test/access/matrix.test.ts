import { isDeepStrictEqual } from 'node:util';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import {
  createTables,
  directClient,
  type Item,
  type TableName,
  tableNames,
} from '#test/simulation/tables.ts';
import { anEvent } from '#test/support/event.ts';
import { aBasicFile, aSpace, NOW } from '#test/support/given.ts';
import { openTables } from '#test/support/tables.ts';
import { type Cell, cells, expectedOutcome, issuedKeys, spaces } from './oracle.ts';
import { apiKeyRecord, startService } from './service.ts';

/** Every record that a cell can name. JSON leaves out an attribute that is undefined. */
const records: Readonly<Record<TableName, readonly Item[]>> = JSON.parse(
  JSON.stringify({
    apiKeys: issuedKeys.map(({ sent, state, scope, roles }) => {
      const revokedAt = state === 'revoked' ? NOW / 1000 + 1000 : undefined;
      // To the second: the key is invalid from this very moment on.
      const expiresAt = state === 'expired' ? NOW / 1000 : undefined;
      const known = { key: sent, roles, scope: scope === 'missing' ? undefined : scope };
      return apiKeyRecord({ ...known, revokedAt, expiresAt });
    }),
    spaces: [
      ...spaces.flatMap(({ is, ...space }) => ('visibility' in space ? [aSpace(space)] : [])),
      // Two ids of the tenant in another tenant, with other rules.
      aSpace({ tenantId: 'globex', spaceId: 'closed' }),
      aSpace({ tenantId: 'globex', spaceId: 'open', visibility: 'private', ownerId: 'alan' }),
    ],
    files: [
      ...spaces.map(({ spaceId }) => aBasicFile({ spaceId, fileId: 'twin' })),
      aBasicFile({ spaceId: 'elsewhere', fileId: 'lone' }),
    ],
  }),
);
const tablesOf: readonly TableName[] = ['apiKeys', 'spaces', 'files'];

const openMemory = () => {
  const tables = createTables();
  for (const table of tablesOf) for (const item of records[table]) tables.put(table, item);
  return { tables, service: startService(directClient(tables), tableNames) };
};

const eventOf = ({ key, tenant, user, space, file }: Cell) =>
  anEvent({
    headers: { 'x-api-key': key.sent, 'x-tenant-id': tenant.sent, 'x-user-id': user.sent },
    ...{ spaceId: space.spaceId, fileId: file.fileId },
    body: file.is === 'bad body' ? '{"language":"fr"}' : '{"summary":"New."}',
  });

/** The response body and the changed records that a cell must lead to. */
const expectedEffect = (
  { space, file, user }: Cell,
  message: string | undefined,
  requestId = '',
  etag = '',
) => {
  if (message !== undefined) return { body: { message }, changed: [] };
  const at = { spaceId: space.spaceId, fileId: file.fileId };
  const { spaceId, fileId: id, ...fields } = aBasicFile({ ...at, summary: 'New.' });
  const metadata = { version: Number(etag.slice(1, -1)), requestId, updatedBy: user.sent };
  return {
    body: { id, ...fields },
    changed: [{ ...at, ...fields, ...metadata }],
  };
};

test('every combination of key, tenant, user, space and file gets the response of the contract', async () => {
  const { tables, service } = openMemory();
  const everything = () => tablesOf.flatMap(tables.all);
  const errors = new Map<string, Set<string>>();
  let before = everything();
  for (const cell of cells) {
    const { response, calls } = await service(eventOf(cell));
    const after = everything();
    const { 'x-request-id': requestId, ...headers } = response.headers;
    const { status, message, calls: expectedCalls } = expectedOutcome(cell);
    const expected = {
      ...{ status, calls: expectedCalls, count: before.length },
      ...expectedEffect(cell, message, requestId, headers['etag']),
    };
    const changed = after.filter((item, index) => item !== before[index]);
    const body = JSON.parse(response.body);
    const actual = { status: response.statusCode, calls, count: after.length, body, changed };
    if (!isDeepStrictEqual(actual, expected)) expect({ cell, ...actual }).toEqual({ cell, ...expected });
    before = after;
    if (message === undefined) continue;
    const bytes = errors.get(message) ?? new Set();
    errors.set(message, bytes.add(JSON.stringify([headers, response.body])));
  }
  expect(cells.length).toBe(23_940);
  // One error of the contract is the same bytes whatever caused it: nothing can be found out by comparing.
  expect([...errors].filter(([, bytes]) => bytes.size !== 1)).toEqual([]);
});

test('a sample of them gets the same responses, calls and records on the real engine', async () => {
  const { client, config } = await openTables('access-matrix');
  const nameOf = (table: TableName) => config[`${table}Table`];
  for (const table of tablesOf)
    for (const Item of records[table]) await client.send(new PutCommand({ TableName: nameOf(table), Item }));
  const memory = openMemory();
  const onEngine = startService(client, config);

  const alike = Map.groupBy(cells, (cell) => JSON.stringify([expectedOutcome(cell).message, cell.space.is]));
  const sample = [...alike.values()].flatMap((group) =>
    group.filter((_, index) => index % Math.ceil(group.length / 6) === 0),
  );
  for (const cell of sample)
    expect(await onEngine(eventOf(cell))).toEqual(await memory.service(eventOf(cell)));
  const { Items } = await client.send(new ScanCommand({ TableName: nameOf('files'), ConsistentRead: true }));
  expect(new Set(Items)).toEqual(new Set(memory.tables.all('files')));
});
