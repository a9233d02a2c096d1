import { afterEach, expect, test } from 'vitest';
import type { LambdaFunction } from '#local/gateway/lambda-function.ts';
import { exchange, statusAndBody } from './support/raw-http.ts';
import { startStubGateway } from './support/stub-gateway.ts';

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

const start = async (lambda: LambdaFunction) => {
  const gateway = await startStubGateway(lambda);
  close = gateway.close;
  return gateway;
};

const patch = (url: string, body: string) => fetch(`${url}/v1/spaces/s/files/f`, { method: 'PATCH', body });
const head = (...headers: string[]) =>
  `${['PATCH /v1/spaces/s/files/f HTTP/1.1', 'host: x', 'connection: close', ...headers].join('\r\n')}\r\n\r\n`;
const tenMegabytes = 10 * 1024 * 1024;
const tooLarge = { status: 413, body: '{"message":"Request Entity Too Large"}' };

test('a body of exactly 10 MB reaches the function', async () => {
  const { url, calls } = await start(() => ({ statusCode: 200 }));
  expect((await patch(url, 'x'.repeat(tenMegabytes))).status).toBe(200);
  expect(calls[0]?.event.body).toHaveLength(tenMegabytes);
});

test('a body announced as larger is refused before it is sent', async () => {
  const { port, calls } = await start(() => ({ statusCode: 200 }));
  const announced = head(`content-length: ${tenMegabytes + 1}`, 'expect: 100-continue');
  expect(statusAndBody(await exchange(port, announced))).toStrictEqual(tooLarge);
  expect(calls).toStrictEqual([]);
});

test('a client that sends a larger body all the same still sees the answer', async () => {
  const { port, calls } = await start(() => ({ statusCode: 200 }));
  const body = Buffer.alloc(tenMegabytes + 1, 'x');
  const answer = await exchange(port, head(`content-length: ${body.length}`), body);
  expect(statusAndBody(answer)).toStrictEqual(tooLarge);
  expect(calls).toStrictEqual([]);
});

test('a body of unknown length is refused once it is too large', async () => {
  const { port, calls } = await start(() => ({ statusCode: 200 }));
  const chunk = Buffer.concat([Buffer.from('600000\r\n'), Buffer.alloc(0x600000, 'x'), Buffer.from('\r\n')]);
  const answer = await exchange(port, head('transfer-encoding: chunked'), chunk, chunk, '0\r\n\r\n');
  expect(statusAndBody(answer)).toStrictEqual(tooLarge);
  expect(calls).toStrictEqual([]);
});

test('a client that asks first is told to go on', async () => {
  const { port, calls } = await start(() => ({ statusCode: 200 }));
  const answer = await exchange(port, head('content-length: 2', 'expect: 100-continue'), 'ok');
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  expect(calls[0]?.event.body).toBe('b2s=');
});
