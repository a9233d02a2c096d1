import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anEvent } from '#test/support/event.ts';
import { anApiKey, NOW } from '#test/support/given.ts';
import { anError, startService } from '#test/support/service.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { putGiven } from './support/given-records.ts';
import { refuseTapped } from './support/refuse.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('security-key');
});
beforeEach(() => putGiven(tables));

const invalidKey = anError(401, 'Invalid API Key');
const noPermission = anError(403, 'API Key does not have permission to access this resource');
const refuse = (event: unknown) => refuseTapped(tables, event);
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
