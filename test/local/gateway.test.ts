import { afterEach, expect, test } from 'vitest';
import type { LambdaFunction } from '#local/gateway/lambda-function.ts';
import { exchange, statusAndBody } from './support/raw-http.ts';
import { startStubGateway } from './support/stub-gateway.ts';

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

const start = async (lambda: LambdaFunction = () => ({ statusCode: 204 })) => {
  const gateway = await startStubGateway(lambda);
  close = gateway.close;
  return gateway;
};

const path = '/v1/spaces/s/files/f';
const head = (line: string, ...headers: string[]) =>
  `${[line, 'host: x', 'connection: close', ...headers].join('\r\n')}\r\n\r\n`;
const message = (status: number, text: string) => ({ status, body: `{"message":"${text}"}` });

test('the answer of the function goes out as it is', async () => {
  const { url } = await start(() => ({
    statusCode: 201,
    headers: { 'Content-Type': 'text/plain', 'x-count': 3, 'x-yes': true },
    cookies: ['a=1', 'b=2'],
    body: Buffer.from('naïve').toString('base64'),
    isBase64Encoded: true,
  }));
  const response = await fetch(url + path, { method: 'PATCH' });
  const { date, connection, 'keep-alive': keepAlive, ...headers } = Object.fromEntries(response.headers);
  expect({ status: response.status, headers, body: await response.text() }).toStrictEqual({
    status: 201,
    headers: {
      'content-length': '6',
      'content-type': 'text/plain',
      'set-cookie': 'b=2',
      'x-count': '3',
      'x-yes': 'true',
    },
    body: 'naïve',
  });
  expect(response.headers.getSetCookie()).toStrictEqual(['a=1', 'b=2']);
});

test('the function learns what was sent, and its remaining time from serverless.yml', async () => {
  const { url, calls } = await start();
  await fetch(`${url}${path}?q=1`, { method: 'PATCH', body: '{}', headers: { 'x-user-id': 'ada' } });
  expect(calls).toHaveLength(1);
  expect(calls[0]?.event).toMatchObject({
    rawQueryString: 'q=1',
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'x-user-id': 'ada' },
    body: '{}',
    isBase64Encoded: false,
  });
  expect(calls[0]?.context.functionName).toBe('space-files-dev-updateFile');
  expect(calls[0]?.context.memoryLimitInMB).toBe('512');
  const remaining = calls[0]?.context.getRemainingTimeInMillis() ?? 0;
  expect(remaining).toBeGreaterThan(0);
  expect(remaining).toBeLessThanOrEqual(10_000);
});

test('headers that Node itself would drop when repeated all arrive', async () => {
  const { port, calls } = await start();
  await exchange(port, head(`PATCH ${path} HTTP/1.1`, 'content-type: a', 'Content-Type: b', 'user-agent: c'));
  expect(calls[0]?.event.headers).toStrictEqual({
    host: 'x',
    connection: 'close',
    'content-type': 'a,b',
    'user-agent': 'c',
  });
});

test.each([
  ['GET /v1/spaces/s/files/f HTTP/1.1'],
  ['FOO /v1/spaces/s/files/f HTTP/1.1'],
  ['PATCH /v1/spaces/s HTTP/1.1'],
  ['CONNECT localhost:80 HTTP/1.1'],
])('%s is answered 404 without the function', async (line) => {
  const { port, calls } = await start();
  expect(statusAndBody(await exchange(port, head(line)))).toStrictEqual(message(404, 'Not Found'));
  expect(calls).toStrictEqual([]);
});

test('HEAD is answered 404, without a body', async () => {
  const { port } = await start();
  expect(statusAndBody(await exchange(port, head(`HEAD ${path} HTTP/1.1`)))).toStrictEqual({
    status: 404,
    body: '',
  });
});

test.each([
  ['broken percent encoding', head('PATCH /v1/spaces/%zz/files/f HTTP/1.1')],
  ['no host', `PATCH ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`],
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['two lengths', head(`PATCH ${path} HTTP/1.1`, 'content-length: 1', 'content-length: 2')],
])('%s is answered 400', async (_, request) => {
  const { port, calls } = await start();
  expect(statusAndBody(await exchange(port, request))).toStrictEqual(message(400, 'Bad Request'));
  expect(calls).toStrictEqual([]);
});

test('headers beyond all measure are answered 431', async () => {
  const { port } = await start();
  const answer = await exchange(port, head(`PATCH ${path} HTTP/1.1`, `x-long: ${'x'.repeat(20_000)}`));
  expect(statusAndBody(answer)).toStrictEqual(message(431, 'Request Header Fields Too Large'));
});
