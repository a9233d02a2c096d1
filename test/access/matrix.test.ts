import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { createTables } from '#test/simulation/tables.ts';
import { anEvent } from '#test/support/event.ts';
import { aBasicFile, aSpace, firstWrite, NOW, without } from '#test/support/given.ts';
import { type Cell, cells, expectedOutcome, fileIds, issuedKeys, spaceIds, spaces } from './oracle.ts';
import { apiKeyRecord, startService } from './service.ts';

/** Every record that a cell can name. JSON leaves out an attribute that is undefined. */
const createRecords = () => {
  const tables = createTables();
  for (const { state, sent, ...record } of issuedKeys) {
    const revokedAt = state === 'revoked' ? NOW / 1000 + 1000 : undefined;
    // To the second: the key is invalid from this very moment on.
    const expiresAt = state === 'expired' ? NOW / 1000 : undefined;
    const key = apiKeyRecord({ key: sent, ...record, revokedAt, expiresAt });
    tables.put('apiKeys', JSON.parse(JSON.stringify(key)));
  }
  for (const space of spaces) tables.put('spaces', JSON.parse(JSON.stringify(aSpace(space))));
  for (const spaceId of spaceIds) tables.put('files', aBasicFile({ spaceId, fileId: fileIds.common }));
  tables.put('files', aBasicFile({ spaceId: 'elsewhere', fileId: fileIds.other }));
  return tables;
};

const eventOf = ({ key, tenant, user, spaceId, isPatch, fileId }: Cell) =>
  anEvent({
    headers: { 'x-api-key': key.sent, 'x-tenant-id': tenant, 'x-user-id': user },
    spaceId,
    fileId,
    body: isPatch ? '{"summary":"New."}' : '{"language":"fr"}',
  });

/** The response body and the changed records that a cell must lead to. */
const expectedEffect = (
  { spaceId, user }: Cell,
  message: string | undefined,
  { etag = '', 'x-request-id': requestId }: Readonly<Record<string, string>>,
) => {
  if (message !== undefined) return { body: { message }, changed: [] };
  const { fileId: id, ...fields } = aBasicFile({ spaceId, fileId: fileIds.common, summary: 'New.' });
  const { spaceId: _, ...view } = { id, ...fields };
  const version = Number(etag.slice(1, -1));
  const { w1 } = firstWrite(version, requestId);
  const metadata = { version, w1, updatedBy: user };
  return { body: view, changed: [{ fileId: id, ...fields, ...metadata }] };
};

test('every combination of key, tenant, user, space and file gets the response of the contract', async () => {
  const tables = createRecords();
  const service = startService(tables);
  const everything = () => [...tables.all('apiKeys'), ...tables.all('spaces'), ...tables.all('files')];
  const errors = new Map<string, Set<string>>();
  let before = everything();
  for (const cell of cells) {
    const { response, calls } = await service(eventOf(cell));
    const after = everything();
    const { status, message, calls: expectedCalls } = expectedOutcome(cell);
    const expected = {
      status,
      calls: expectedCalls,
      count: before.length,
      ...expectedEffect(cell, message, response.headers),
    };
    const changed = after
      .filter((item, index) => item !== before[index])
      .map((item) => without(item, 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8'));
    const body = JSON.parse(response.body);
    const actual = { status: response.statusCode, calls, count: after.length, body, changed };
    if (!isDeepStrictEqual(actual, expected)) expect({ cell, ...actual }).toEqual({ cell, ...expected });
    before = after;
    if (message === undefined) continue;
    const { 'x-request-id': _, ...headers } = response.headers;
    const bytes = errors.get(message) ?? new Set();
    errors.set(message, bytes.add(JSON.stringify([headers, response.body])));
  }
  expect(cells.length).toBe(21_168);
  // One error of the contract is the same bytes whatever caused it: nothing can be found out by comparing.
  expect([...errors].filter(([, bytes]) => bytes.size !== 1)).toEqual([]);
});
