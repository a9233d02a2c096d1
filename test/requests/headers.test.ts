import { beforeEach, expect, test } from 'vitest';
import { route, updateFile } from '#handlers/update-file.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { RequestHeaders } from '#lib/http/event.ts';
import { createUpdateStore } from '#lib/store/update-file.ts';
import { createEnvironment } from '#test/support/environment.ts';
import { aContext, formats } from '#test/support/event.ts';
import { aFile, aSpace, FILE_ID } from '#test/support/given.ts';
import { headerParameters } from '#test/support/openapi.ts';
import { apiKeyRecord } from '#test/support/service.ts';
import { createTables, directClient, tableNames } from '#test/support/simulated-tables.ts';
import { toEvent } from './as-event.ts';
import { casesFor } from './cases/all.ts';

/** Notes what is read of the headers: the name of each one, or how all of them are read. */
const watch = (headers: RequestHeaders, read: Set<string>): RequestHeaders =>
  new Proxy(headers, {
    get: (target, method) => {
      if (method !== 'get' && method !== 'has') read.add(`all, by ${String(method)}`);
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (method === 'get' || method === 'has') read.add(String(args[0]));
        return Reflect.apply(value, target, args);
      };
    },
  });

const tables = createTables();
const environment = createEnvironment();
const store = createUpdateStore({ ...tableNames, client: directClient(tables) }, environment);
const operation = updateFile({ ...environment, store: () => store });
beforeEach(() => {
  for (const key of ['demo-editor-key', 'editor-key']) tables.put('apiKeys', apiKeyRecord({ key }));
  tables.put('spaces', aSpace());
  tables.put('files', aFile());
});

test('the code reads the headers that openapi.yaml describes, and no other', async () => {
  const read = new Set<string>();
  // The log line is made of the same request.
  const watched = (request: Parameters<typeof operation>[0]) =>
    operation(Object.assign(request, { headers: watch(request.headers, read) }));
  const handler = createHandler(route, watched, environment);
  const statuses = new Set<number>();
  for (const format of ['1.0', '2.0'] as const)
    for (const given of casesFor(format))
      for (const [sent] of given.steps) {
        const event = toEvent(format, given, sent);
        const { statusCode } = await Reflect.apply(handler, undefined, [event, aContext()]);
        statuses.add(statusCode);
      }
  // In OpenAPI, these two belong to the request body.
  expect(read).toEqual(new Set([...headerParameters, 'content-type', 'content-encoding']));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 412, 415]));
});

/** Headers that clients and proxies send, and one that nobody does. */
const unknownNames = [
  'authorization',
  'cookie',
  'forwarded',
  'from',
  'origin',
  'referer',
  'traceparent',
  'user-agent',
  'via',
  'x-amzn-trace-id',
  'x-correlation-id',
  'x-forwarded-for',
  'x-request-id',
  'x-request-source',
  'x-session-id',
  'no-such-header',
];
const unknownHeaders = Object.fromEntries(unknownNames.map((name, index) => [name, `unknown ${index}`]));
const ids = { requestId: 'request-1', awsRequestId: 'lambda-1', gatewayRequestId: 'gateway-1' };
const caller = { userId: 'grace', tenantId: 'acme' };
const key = { keyId: 'key-1' };
const file = { spaceId: 'handbook', fileId: FILE_ID };
const counts = { ms: 0, retries: 0, conflicts: 0 };

test.each([
  ['a 200', {}, { level: 'info', outcome: 'updated', status: 200, ...caller, ...key }],
  [
    'a request without a user',
    { 'x-user-id': undefined },
    {
      level: 'info',
      outcome: 'user-id-missing',
      reason: 'header is missing or blank',
      status: 400,
      tenantId: 'acme',
    },
  ],
  [
    'an unknown key',
    { 'x-api-key': 'unknown-key' },
    { level: 'info', outcome: 'api-key-invalid', reason: 'key is unknown', status: 401, ...caller },
  ],
  [
    'an old If-Match',
    { 'if-match': '"1"' },
    {
      level: 'info',
      outcome: 'file-changed',
      reason: 'If-Match does not match',
      status: 412,
      ...caller,
      ...key,
    },
  ],
])('the log line of %s has these fields only, and nothing of an unknown header', async (_, headers, line) => {
  for (const [format, toEvent] of Object.entries(formats)) {
    const { logged, ...fresh } = createEnvironment();
    const handler = createHandler(route, updateFile({ ...fresh, store: () => store }), fresh);
    const event = toEvent({ headers: { ...unknownHeaders, ...headers } });
    await Reflect.apply(handler, undefined, [event, aContext()]);
    expect(logged()).toStrictEqual([{ ...line, ...ids, format, ...file, ...counts }]);
    expect(JSON.stringify(logged())).not.toContain('unknown ');
  }
});
