import { beforeEach, expect, test } from 'vitest';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { anApiKey, FILE_ID } from '#test/support/given.ts';
import { anError, reject, startService } from '#test/support/service.ts';
import { openTables } from '#test/support/tables.ts';

const tables = await openTables('error');
beforeEach(tables.putGiven);

test.each([
  undefined,
  null,
  {},
  [],
  'ping',
  7,
  { Records: [{ body: '{}' }] },
  { ...aRestEvent(), version: '3.0' },
  { ...aRestEvent(), httpMethod: 'patch' },
  { ...aRestEvent(), httpMethod: 'DELETE' },
  { ...aRestEvent(), httpMethod: undefined, version: '1.0' },
  { ...aRestEvent(), multiValueHeaders: { 'x-user-id': 'grace' } },
  { ...anEvent(), version: '3.0' },
  { ...anEvent(), version: 2 },
  { ...anEvent(), headers: null },
  { ...anEvent(), headers: 'x-user-id: grace' },
  { ...anEvent(), headers: { 'x-user-id': 7 } },
  { ...anEvent(), body: {} },
  { ...anEvent(), isBase64Encoded: 'true' },
  { ...anEvent(), pathParameters: { spaceId: 7 } },
  { ...anEvent(), pathParameters: [] },
  { ...anEvent(), requestContext: { http: { method: 'GET' } } },
])('an event that is not a PATCH request of API Gateway is read as an empty request (%#)', async (event) => {
  expect(await reject(tables, event)).toEqual({
    response: anError(400, 'x-user-id is required'),
    reason: 'header is missing or blank',
    calls: [],
  });
});

test('each check runs after the ones before it, in the order of the contract', async () => {
  await tables.putApiKey(anApiKey({ key: 'viewer-key', roles: ['viewer'] }));
  const headers: Record<string, string | undefined> = {
    ...{ 'x-user-id': undefined, 'x-tenant-id': undefined, 'x-api-key': 'unknown' },
    ...{ 'content-type': undefined, 'content-encoding': 'gzip', 'if-match': 'x' },
  };
  const request = { headers, spaceId: 'unknown', fileId: 'unknown', body: 'x'.repeat(131_073) };
  /** Everything is wrong at first. Each message names the first problem, which is then repaired. */
  const steps: readonly [message: string, repair: () => unknown][] = [
    ['x-user-id is required', () => (headers['x-user-id'] = 'a,b')],
    ['x-user-id is invalid', () => (headers['x-user-id'] = 'grace')],
    ['x-tenant-id is required', () => (headers['x-tenant-id'] = 'a b')],
    ['x-tenant-id is invalid', () => (headers['x-tenant-id'] = 'acme')],
    ['Invalid API Key', () => (headers['x-api-key'] = 'viewer-key')],
    ['API Key does not have permission to access this resource', () => (headers['x-api-key'] = 'editor-key')],
    ['Content-Type must be application/json', () => (headers['content-type'] = 'application/json')],
    ['Content-Encoding is not supported', () => (headers['content-encoding'] = undefined)],
    ['Request body is too large', () => (request.body = '')],
    ['Request body is required', () => (request.body = '{')],
    ['Request body is not valid JSON', () => (request.body = '[]')],
    ['Request body must be a JSON object', () => (request.body = '{}')],
    ['At least one of summary, documentKind must be provided', () => (request.body = '{"summary":"a"}')],
    ['Space not found', () => (request.spaceId = 'handbook')],
    ['File not found', () => (request.fileId = FILE_ID)],
    ['If-Match is invalid', () => (headers['if-match'] = '"5"')],
    ['File was changed by another request', () => undefined],
  ];
  for (const [message, repair] of steps) {
    const { response } = await reject(tables, anEvent(request));
    expect(JSON.parse(response.body)).toEqual({ message });
    repair();
  }
});

test('nothing is called if less than 510 ms are left in Lambda', async () => {
  const service = startService(tables, { remainingMs: 509 });
  tables.takeCalls();
  expect(await service.send(anEvent())).toEqual(anError(503, 'Service Unavailable', { 'retry-after': '1' }));
  expect([tables.takeCalls(), service.logged()]).toMatchObject([[], [{ reason: 'deadline passed' }]]);
});
