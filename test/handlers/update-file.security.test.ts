import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { aFile, anApiKey, aSpace, FILE_ID, NOW } from '#test/support/given.ts';
import { anError, aResponse, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { tapped } from '#test/support/tap.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('security');
});
beforeEach(async () => {
  await tables.putApiKey(anApiKey());
  await tables.putSpace(aSpace());
  await tables.putFile(aFile());
});

const invalidKey = anError(401, 'Invalid API Key');
const noPermission = anError(403, 'API Key does not have permission to access this resource');
const spaceNotFound = anError(404, 'Space not found');
const fileNotFound = anError(404, 'File not found');

/** Sends an event that must be refused; gives the answer, the calls to DynamoDB, and the reason in the log. */
const refuse = async (event: unknown, options = {}) => {
  const before = await tables.everything();
  const { client, calls } = tapped(tables.client);
  const service = startService({ ...tables, client }, options);
  const response = await service.send(event);
  expect(await tables.everything()).toEqual(before);
  return { response, calls: calls(), reason: service.logged()[0]?.['reason'] };
};
const readOnce = [BatchGetCommand.name];

describe('the API key', () => {
  const seconds = NOW / 1000;
  test.each([
    ['is missing', undefined, {}, 'key is missing', []],
    ['is empty', '', {}, 'key is missing', []],
    ['is too long', 'k'.repeat(513), {}, 'key is malformed', []],
    ['is not ASCII', 'schlüssel', {}, 'key is malformed', []],
    ['is sent twice', 'editor-key,editor-key', {}, 'key is malformed', []],
    ['is unknown', 'other-key', {}, 'key is unknown', readOnce],
    ['has a tail', 'editor-key ', {}, 'key is unknown', readOnce],
    ['is a prefix', 'editor-ke', {}, 'key is unknown', readOnce],
    ['has other letter case', 'Editor-Key', {}, 'key is unknown', readOnce],
    ['is revoked', 'editor-key', { revokedAt: seconds + 1000 }, 'key is revoked', readOnce],
    ['is revoked, in any form', 'editor-key', { revokedAt: null }, 'key is revoked', readOnce],
    ['expires at this very moment', 'editor-key', { expiresAt: seconds }, 'key is expired', readOnce],
  ])('%s: 401', async (_, key, record, reason, calls) => {
    await tables.putApiKey(anApiKey(record));
    const event = anEvent({ headers: { 'x-api-key': key } });
    expect(await refuse(event)).toEqual({ response: invalidKey, calls, reason });
  });

  test('is good until the last millisecond before it expires', async () => {
    await tables.putApiKey(anApiKey({ expiresAt: seconds }));
    const response = await startService(tables, { now: () => NOW - 1 }).send(anEvent());
    expect(response.statusCode).toBe(200);
  });

  test.each([
    [{ tenantId: 'globex' }, 'key belongs to another tenant'],
    [{ scope: 'product' }, 'scope of the key is not PRODUCT'],
    [{ scope: 'PRODUCTS' }, 'scope of the key is not PRODUCT'],
    [{ roles: [] }, 'no role of the key grants files:update'],
    [{ roles: ['viewer', 'Editor', 'owner'] }, 'no role of the key grants files:update'],
    [{ roles: ['constructor', '__proto__', 'toString'] }, 'no role of the key grants files:update'],
  ])('with %j: 403', async (record, reason) => {
    await tables.putApiKey(anApiKey(record));
    expect(await refuse(anEvent())).toEqual({ response: noPermission, calls: readOnce, reason });
  });

  test.each([[{ roles: ['admin'] }], [{ roles: ['viewer', 'editor'] }]])('with %j: 200', async (record) => {
    await tables.putApiKey(anApiKey(record));
    expect((await startService(tables).send(anEvent())).statusCode).toBe(200);
  });

  test.each([
    { roles: 'editor' },
    { roles: new Set(['editor']) },
    { scope: undefined },
    { expiresAt: 'never' },
  ])('whose record is broken lets no one in: %j', async (record) => {
    const broken = Object.entries(anApiKey(record)).filter(([, value]) => value !== undefined);
    await tables.putApiKey({ key: 'editor-key', ...Object.fromEntries(broken) });
    const { response } = await refuse(anEvent());
    expect(response).toEqual(anError(500, 'Internal Server Error'));
  });

  test('counts from the very next request on when it is revoked', async () => {
    const service = startService(tables);
    expect((await service.send(anEvent())).statusCode).toBe(200);
    await tables.putApiKey(anApiKey({ revokedAt: seconds }));
    expect((await service.send(anEvent())).statusCode).toBe(401);
  });
});

describe('the ids of the caller', () => {
  test.each([
    ['x-user-id', undefined, 'is required'],
    ['x-user-id', '', 'is required'],
    ['x-user-id', ' \t\u00a0\u200b', 'is required'],
    ['x-user-id', 'grace,ada', 'is invalid'],
    ['x-user-id', 'grace ', 'is invalid'],
    ['x-user-id', 'grace\r\nx-tenant-id: globex', 'is invalid'],
    ['x-user-id', 'grace\u0000', 'is invalid'],
    ['x-user-id', 'gra\u200bce', 'is invalid'],
    ['x-user-id', '\ud800', 'is invalid'],
    ['x-user-id', '😀'.repeat(129), 'is invalid'],
    ['x-tenant-id', undefined, 'is required'],
    ['x-tenant-id', '   ', 'is required'],
    ['x-tenant-id', 'acme,acme', 'is invalid'],
    ['x-tenant-id', 'a'.repeat(129), 'is invalid'],
  ])('%s: %j %s, without a call', async (header, value, problem) => {
    const { response, calls } = await refuse(anEvent({ headers: { [header]: value } }));
    expect({ response, calls }).toEqual({ response: anError(400, `${header} ${problem}`), calls: [] });
  });

  test('may have 128 characters of any script', async () => {
    const { statusCode } = await startService(tables).send(
      anEvent({ headers: { 'x-user-id': '😀'.repeat(128) } }),
    );
    expect(statusCode).toBe(200);
  });

  test('are found under any letter case', async () => {
    const headers = {
      'x-user-id': undefined,
      'X-USER-ID': 'grace',
      'x-Api-Key': 'editor-key',
      'x-api-key': undefined,
    };
    expect((await startService(tables).send(anEvent({ headers }))).statusCode).toBe(200);
    expect((await startService(tables).send(aRestEvent({ headers }))).statusCode).toBe(200);
  });

  test.each([
    anEvent({ headers: { 'X-User-Id': 'ada' } }),
    aRestEvent({ headers: { 'X-User-Id': 'ada' } }),
    aRestEvent({ extra: { multiValueHeaders: { 'x-user-id': ['grace', 'grace'] } } }),
    aRestEvent({ extra: { multiValueHeaders: { 'X-User-Id': ['ada'] } } }),
  ])('are refused when a header comes twice', async (event) => {
    expect((await refuse(event)).response).toEqual(anError(400, 'x-user-id is invalid'));
  });
});

describe('the space', () => {
  test.each([
    ['is unknown', 'unknown'],
    ['is of another tenant', 'globex-plans'],
    ['has an id of 1025 bytes', 's'.repeat(1025)],
    ['has an empty id', ''],
    ['has an id that is no Unicode', '\ud800'],
    ['is named by a path', '../handbook'],
    ['is named with its tenant', 'acme#handbook'],
    ['is the file', FILE_ID],
  ])('%s: the same 404 after the same call', async (_, spaceId) => {
    await tables.putSpace(aSpace({ tenantId: 'globex', spaceId: 'globex-plans' }));
    const { response, calls } = await refuse(anEvent({ spaceId }));
    expect({ response, calls }).toEqual({ response: spaceNotFound, calls: readOnce });
  });

  test.each([
    [{ visibility: 'private', ownerId: 'grace' }, 200],
    [{ visibility: 'private', ownerId: 'ada' }, 403],
    [{ visibility: 'private', ownerId: 'Grace' }, 403],
    [{ visibility: 'private', ownerId: '' }, 403],
    [{ visibility: 'private', ownerId: null }, 403],
    [{ visibility: 'private', ownerId: ['grace'] }, 403],
    [{ visibility: 'public', ownerId: 'ada' }, 200],
    [{ visibility: 'public', ownerId: null }, 200],
    [{ visibility: 'PUBLIC', ownerId: 'ada' }, 403],
    [{ visibility: 'public ', ownerId: 'ada' }, 403],
    [{ visibility: null, ownerId: 'ada' }, 403],
    [{ visibility: true, ownerId: 'ada' }, 403],
    [{ visibility: 'secret', ownerId: 'grace' }, 200],
  ])('%j: %i', async (space, status) => {
    await tables.putSpace(aSpace(space));
    const response = await startService(tables).send(anEvent());
    expect(response.statusCode).toBe(status);
    if (status === 403) expect(response).toEqual(noPermission);
  });

  test('made private counts from the very next request on', async () => {
    const service = startService(tables);
    expect((await service.send(anEvent())).statusCode).toBe(200);
    await tables.putSpace(aSpace({ visibility: 'private' }));
    expect((await service.send(anEvent())).statusCode).toBe(403);
  });
});

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

describe('nothing leaves that should not', () => {
  const secrets = ['editor-key', 'CANARY-summary', 'CANARY-internal'];
  const withSecrets = { ...aFile({ internal: 'CANARY-internal' }) };

  test('in an answer or in the log, whatever the outcome', async () => {
    await tables.putFile(withSecrets);
    const service = startService(tables);
    const bodies = [
      '{"summary":"CANARY-summary"}',
      '{"summary":"CANARY-summary"',
      '{"summary":["CANARY-summary"]}',
      '{"summary":"CANARY-summary","language":"CANARY-summary"}',
    ];
    const answers: string[] = [];
    for (const body of bodies) answers.push((await service.send(anEvent({ body }))).body);
    await tables.putFile({ ...withSecrets, language: 7 });
    answers.push((await service.send(anEvent({ body: bodies[0] }))).body);
    const [first, ...others] = answers;
    const seen = JSON.stringify([others, service.logged()]);
    expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
    expect(first).toBe(aResponse(200, JSON.parse(first ?? '')).body);
    expect(first).not.toContain('CANARY-internal');
  });

  test('into the prototype of anything', async () => {
    const body = '{"__proto__":{"polluted":1},"constructor":1,"toString":2,"summary":"a"}';
    const { response } = await refuse(anEvent({ body }));
    const unknown = (name: string) => `Unknown field "${name}"; editable fields are summary, documentKind`;
    const messages = ['__proto__', 'constructor', 'toString'].map(unknown);
    expect(response).toEqual(anError(400, messages.join('; ')));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

test('a good request makes two calls: one read of key and space, one write', async () => {
  const { client, calls } = tapped(tables.client);
  await startService({ ...tables, client }).send(anEvent());
  expect(calls()).toEqual([BatchGetCommand.name, UpdateCommand.name]);
});
