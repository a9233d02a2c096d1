import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { base64 } from '#test/support/event.ts';
import { brokenReplies, forwardTo, startServer } from '#test/support/server.ts';
import { SECRET } from './http-faults.ts';
import {
  buildFunction,
  eventFor,
  foreignIn,
  idsOf,
  type Overrides,
  openSpaces,
  revokedKey,
  startFunction,
} from './lambda-function.ts';

const folder = buildFunction();

/** Valid requests, and requests with a secret in each place that an error message could repeat. */
const requests: readonly ((space: number) => Overrides)[] = [
  () => ({}),
  ...[
    '{"documentKind":null}',
    SECRET,
    `{"summary":"${SECRET}"`,
    `"${SECRET}"`,
    `{"summary":["${SECRET}"]}`,
    `{"language":"${SECRET}"}`,
    `{"x":"${SECRET}"}`,
    `{"summary":"${SECRET}","summary":"${SECRET}"}`,
    `{"documentKind":"${SECRET.repeat(50)}"}`,
    `{"summary":"${SECRET}\\ud800"}`,
    SECRET.repeat(25_000),
  ].map((body) => () => ({ body })),
  ...[
    { 'content-type': `application/${SECRET}` },
    { 'content-encoding': SECRET },
    { 'if-match': SECRET },
    { 'if-match': `"${SECRET}"` },
    { 'x-api-key': `${SECRET}-unknown` },
    { 'x-api-key': `${SECRET}é` },
    { 'x-api-key': revokedKey },
    { 'x-tenant-id': 'umbrella' },
    { 'x-tenant-id': `${SECRET} ${SECRET}` },
    { 'x-user-id': `${SECRET},${SECRET}` },
  ].map((headers) => () => ({ headers })),
  () => ({ body: base64(`{"summary":"${SECRET}`), isBase64Encoded: true }),
  () => ({ extra: { version: SECRET, [SECRET]: SECRET } }),
  (space) => ({ spaceId: `space-${space}-private` }),
  (space) => ({ spaceId: `space-${space}-unknown` }),
  (space) => ({ fileId: `space-${space}-unknown` }),
  (space) => ({ fileId: `broken-${idsOf(space).fileId}` }),
];

test('the check finds secrets and names of others', () => {
  const found = foreignIn(`{"a":"${SECRET}","b":"globex","c":"space-31","d":"space-3","e":"acme"}`, 3);
  expect(found).toEqual([SECRET, 'globex', 'space-31']);
});

const isSocket = (resource: string) => resource === 'TCPSocketWrap';
const withoutSockets = (resources: readonly string[]) => resources.filter((one) => !isSocket(one));

test('a connection that breaks off leaves nothing that keeps the process alive', async () => {
  const { endpoint } = await startServer(brokenReplies.reset, forwardTo(inject('endpoint')));
  // Without priming, whose first connection may break off on a busy machine.
  const file = join(folder, 'update-file.cjs');
  const instance = await startFunction(await openSpaces(1), endpoint, { file });
  const idle = await instance.inspect();
  expect(await instance.send(0)).toMatchObject({ response: { statusCode: 200 } });
  expect(withoutSockets((await instance.inspect()).resources)).toEqual(withoutSockets(idle.resources));
});

const AT_ONCE = 8;

test('many requests of three tenants show no secret and nothing of another tenant, and do not fill memory', async () => {
  // A prime number, so that each space sends each request.
  const tables = await openSpaces(11);
  // V8 drops code that is unused for a while, which would hide how the heap grows.
  const flags = ['--expose-gc', '--no-flush-bytecode'];
  const instance = await startFunction(tables, inject('endpoint'), { flags });
  const idle = await instance.inspect();
  let sent = 0;
  const sendUntil = async (last: number) => {
    const sendInTurn = async () => {
      while (sent < last) {
        const space = sent % tables.spaces.length;
        await instance.send(space, requests[sent++ % requests.length]?.(space));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn));
    return instance.inspect();
  };
  // Until then, caches fill and code is compiled.
  const warm = await sendUntil(1_800);
  const { heap, resources } = await sendUntil(3_000);
  // Noise is about 60,000. What each request keeps, for example a copy of its log line, adds 200,000 and more.
  expect(heap - warm.heap).toBeLessThan(180_000);
  expect(resources.filter(isSocket).length).toBeLessThanOrEqual(AT_ONCE);
  expect(withoutSockets(resources)).toEqual(withoutSockets(idle.resources));
  const statuses = new Set(instance.sent().map(({ response }) => response.statusCode));
  // On a busy machine, an attempt may time out. Each 503 must come from that.
  statuses.delete(503);
  expect(statuses).toEqual(new Set([200, 400, 401, 403, 404, 412, 413, 415, 500]));
  const unexplained = instance
    .sent()
    .filter(
      ({ response, line: { retries, cause } }) =>
        response.statusCode === 503 && retries === 0 && Object(cause).name !== 'TimeoutError',
    );
  expect(unexplained).toEqual([]);
});

test('requests succeed when nobody reads stdout', async () => {
  const instance = await startFunction(await openSpaces(1));
  instance.child.stdout?.destroy();
  for (let n = 0; n < 50; n += 1)
    expect(await instance.invoke(eventFor(0), 10_000)).toMatchObject({ statusCode: 200 });
  expect(instance.stderr()).toBe('');
});
