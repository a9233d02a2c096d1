import { beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { aFile, aFileView, anApiKey, aSpace, FILE_ID, FIRST_VERSION, NOW } from '#test/support/given.ts';
import { anError, anUpdate, reject, startService } from '#test/support/service.ts';
import { openTables } from '#test/support/tables.ts';

const tables = await openTables('security');
beforeEach(tables.putGiven);

const invalidKey = anError(401, 'Invalid API Key');
const noPermission = anError(403, 'API Key does not have permission to access this resource');
const updated = anUpdate(aFileView({ summary: 'New.' }), FIRST_VERSION);
const read = ['BatchGetItemCommand'];
const readAndWrite = [...read, 'UpdateItemCommand'];
const seconds = NOW / 1000;

describe('the API key', () => {
  test.each([
    ['is unknown', 'other-key', {}, 'key is unknown', read],
    ['has more characters', 'editor-key ', {}, 'key is unknown', read],
    ['has fewer characters', 'editor-ke', {}, 'key is unknown', read],
    ['has other letter case', 'Editor-Key', {}, 'key is unknown', read],
    ['is revoked', 'editor-key', { revokedAt: seconds + 1000 }, 'key is revoked', read],
    ['is revoked, in any form', 'editor-key', { revokedAt: null }, 'key is revoked', read],
    ['expires at this moment', 'editor-key', { expiresAt: seconds }, 'key is expired', read],
    [
      'is revoked and of another tenant, scope and role',
      'editor-key',
      { revokedAt: 1, tenantId: 'globex', scope: 'INTERNAL', roles: [] },
      'key is revoked',
      read,
    ],
  ])('%s: 401', async (_, key, record, reason, calls) => {
    await tables.putApiKey(anApiKey(record));
    const event = anEvent({ headers: { 'x-api-key': key } });
    expect(await reject(tables, event)).toEqual({ response: invalidKey, reason, calls });
  });

  test.each([
    [{ tenantId: 'globex' }, 'key belongs to another tenant'],
    [{ scope: 'product' }, 'scope of the key is not PRODUCT'],
    [{ scope: 'PRODUCTS' }, 'scope of the key is not PRODUCT'],
    [{ roles: [] }, 'no role of the key grants files:update'],
    [{ roles: ['viewer', 'Editor', 'owner', ''] }, 'no role of the key grants files:update'],
    [{ roles: ['constructor', '__proto__', 'toString'] }, 'no role of the key grants files:update'],
  ])('with %j: 403', async (record, reason) => {
    await tables.putApiKey(anApiKey(record));
    expect(await reject(tables, anEvent())).toEqual({ response: noPermission, reason, calls: read });
  });

  test.each([{ roles: 'editor' }, { roles: new Set(['editor']) }, { scope: null }, { expiresAt: 'never' }])(
    'whose record is broken gives no access: %j',
    async (record) => {
      await tables.putApiKey(anApiKey(record));
      const [attribute] = Object.keys(record);
      expect(await reject(tables, anEvent())).toEqual({
        response: anError(500, 'Internal Server Error'),
        reason: `API key record does not fit: ${attribute}: invalid_type`,
        calls: read,
      });
    },
  );

  test.each([{ roles: ['admin'] }, { roles: ['viewer', 'editor'] }, { expiresAt: seconds + 0.001 }])(
    'with %j: 200',
    async (record) => {
      await tables.putApiKey(anApiKey(record));
      expect(await startService(tables).send(anEvent())).toEqual(updated);
    },
  );
});

describe('the space', () => {
  test.each([
    ['is unknown', 'unknown'],
    ['is of another tenant', 'globex-plans'],
    ['has an id of 1025 bytes', 's'.repeat(1025)],
    ['has an empty id', ''],
    ['has an id that is not Unicode', '\ud800'],
    ['is named by a path', '../handbook'],
    ['is named with its tenant', 'acme#handbook'],
    ['is named by a file', FILE_ID],
  ])('%s: the same 404 after the same call', async (_, spaceId) => {
    await tables.putSpace(aSpace({ tenantId: 'globex', spaceId: 'globex-plans' }));
    expect(await reject(tables, anEvent({ spaceId }))).toEqual({
      response: anError(404, 'Space not found'),
      reason: 'tenant has no such space',
      calls: read,
    });
  });

  test.each([
    { visibility: 'private', ownerId: 'ada' },
    { visibility: 'private', ownerId: 'Grace' },
    { visibility: 'private', ownerId: '' },
    { visibility: 'private', ownerId: null },
    { visibility: 'private', ownerId: ['grace'] },
    { visibility: 'PUBLIC', ownerId: 'ada' },
    { visibility: 'public ', ownerId: 'ada' },
    { visibility: null, ownerId: 'ada' },
    { visibility: true, ownerId: 'ada' },
  ])('%j is closed to grace: 403', async (space) => {
    await tables.putSpace(aSpace(space));
    const reason = 'space is private and the caller is not its owner';
    expect(await reject(tables, anEvent())).toEqual({ response: noPermission, reason, calls: read });
  });

  test.each([
    { visibility: 'private', ownerId: 'grace' },
    { visibility: 'unknown', ownerId: 'grace' },
    { visibility: 'public', ownerId: 'ada' },
    { visibility: 'public', ownerId: null },
  ])('%j is open to grace: 200 after one read and one write', async (space) => {
    await tables.putSpace(aSpace(space));
    tables.takeCalls();
    expect(await startService(tables).send(anEvent())).toEqual(updated);
    expect(tables.takeCalls()).toEqual(readAndWrite);
  });
});

test.each([
  ['of another space', '11111111-0000-4000-8000-000000000000', readAndWrite],
  ['in upper case', FILE_ID.toUpperCase(), readAndWrite],
  ['that is named by a path', `../files/${FILE_ID}`, readAndWrite],
  ['of 1026 bytes', 'é'.repeat(513), read],
  ['with an empty id', '', read],
])('a file %s is not found and not created', async (_, fileId, calls) => {
  await tables.putFile(aFile({ spaceId: 'other', fileId: '11111111-0000-4000-8000-000000000000' }));
  const found = await reject(tables, anEvent({ fileId }));
  expect(found).toMatchObject({ response: anError(404, 'File not found'), calls });
});

test.each([
  ['a revoked key', () => tables.putApiKey(anApiKey({ revokedAt: seconds })), invalidKey],
  ['a key without roles', () => tables.putApiKey(anApiKey({ roles: [] })), noPermission],
  ['a space made private', () => tables.putSpace(aSpace({ visibility: 'private' })), noPermission],
])('%s counts from the next request on', async (_, change, { headers, ...response }) => {
  const service = startService(tables);
  expect(await service.send(anEvent())).toEqual(updated);
  await change();
  expect(await service.send(anEvent())).toEqual({
    ...response,
    headers: { ...headers, 'x-request-id': 'request-2' },
  });
});

test('neither a response nor the log holds a key, a summary that was sent or another attribute', async () => {
  await tables.putFile(aFile({ internal: 'CANARY-internal' }));
  const service = startService(tables);
  const bodies = [
    '"CANARY-sent"',
    '"CANARY-sent',
    '["CANARY-sent"]',
    '"CANARY-sent","language":"CANARY-sent"',
  ];
  const responses = [];
  for (const value of bodies) responses.push(await service.send(anEvent({ body: `{"summary":${value}}` })));
  await tables.putFile(aFile({ internal: 'CANARY-internal', language: 7 }));
  responses.push(await service.send(anEvent({ body: '{"summary":"CANARY-sent"}' })));
  const [first, ...others] = responses;
  expect(first).toEqual(anUpdate(aFileView({ summary: 'CANARY-sent' }), FIRST_VERSION));
  expect(JSON.stringify([others, service.logged()])).not.toMatch(/CANARY|editor-key/);
});
