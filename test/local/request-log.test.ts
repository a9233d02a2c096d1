import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFunctionLog } from '#local/start/function-log.ts';
import { createRequestLog } from '#local/start/request-log.ts';

const printed: string[] = [];
const shown: string[] = [];
const log = createFunctionLog((line) => void printed.push(line));
const output = Object.assign(new PassThrough(), { isTTY: false });
output.on('data', (text) => void shown.push(String(text)));
const answered = createRequestLog(output, log);

/** Answers 404 with the request id that it was asked for, where it was asked for one. */
const server = createServer((request, response) => {
  const id = request.headers['x-id'];
  if (typeof id === 'string') response.setHeader('x-request-id', id);
  response.once('finish', () => answered(request, response, 12.4));
  response.writeHead(404).end();
});
beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
afterAll(() => void server.close());
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers });

test('a line for people says what the function logged of the request, and its log is passed on', async () => {
  const line = '{"outcome":"space-not-found","reason":"space is of nobody","requestId":"one","status":404}\n';
  log.stdout.write(line);
  await get('/v1', { 'x-id': 'one' });
  expect(shown).toEqual(['GET /v1  404  12 ms  space-not-found: space is of nobody\n']);
  expect(printed).toEqual([line]);
});

test('what the function never saw was answered by the gateway', async () => {
  shown.length = 0;
  log.stdout.write('no line of ours\n');
  log.stdout.write('{"level":"info"}\n');
  await get('/nothing');
  expect(shown).toEqual(['GET /nothing  404  12 ms  Not Found, by the gateway\n']);
});

test('an outcome without a reason is told by itself, and once', () => {
  log.stdout.write('{"outcome":"updated","requestId":"two"}\n');
  expect([log.takeOutcome('two'), log.takeOutcome('two')]).toEqual(['updated', undefined]);
});
