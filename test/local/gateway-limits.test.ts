import { afterEach, expect, test } from 'vitest';
import { type LambdaFunction, loadFunction } from '#local/lambda-function.ts';
import { exchange, statusAndBody } from './support/raw-http.ts';
import { startStubGateway } from './support/stub-gateway.ts';

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

const start = async (lambda: LambdaFunction, timeoutSeconds?: number) => {
  const gateway = await startStubGateway(lambda, timeoutSeconds);
  close = gateway.close;
  return gateway;
};

const patch = (url: string, body?: string) =>
  fetch(`${url}/v1/spaces/s/files/f`, body === undefined ? { method: 'PATCH' } : { method: 'PATCH', body });
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

const nonsense: [string, LambdaFunction, string][] = [
  [
    'throws',
    () => {
      throw new Error('boom');
    },
    'function: boom',
  ],
  ['rejects', () => Promise.reject(new Error('no\nluck')), 'function: no luck'],
  [
    'answers nothing',
    () => undefined,
    'function: its answer is none: Invalid input: expected object, received undefined',
  ],
  [
    'answers text',
    () => 'hello',
    'function: its answer is none: Invalid input: expected object, received string',
  ],
  [
    'answers no status',
    () => ({ body: 'x' }),
    'function: its answer is none at statusCode: Invalid input: expected number, received undefined',
  ],
  [
    'answers an odd status',
    () => ({ statusCode: 99 }),
    'function: its answer is none at statusCode: Too small: expected number to be >=200',
  ],
  [
    'answers an object as body',
    () => ({ statusCode: 200, body: {} }),
    'function: its answer is none at body: Invalid input: expected string, received object',
  ],
  [
    'answers a list as header',
    () => ({ statusCode: 200, headers: { a: ['b'] } }),
    'function: its answer is none at headers.a: Invalid input',
  ],
  [
    'answers a header no one can send',
    () => ({ statusCode: 200, headers: { a: 'b\nc' } }),
    'function: its answer cannot be sent: Headers.append: "b c" is an invalid header value.',
  ],
  [
    'cannot be loaded',
    loadFunction('/nowhere/update-file.cjs'),
    "function: the bundle cannot be loaded: Cannot find module '/nowhere/update-file.cjs'",
  ],
];

test.each(nonsense)(
  'a function that %s is answered for with 500, and the reason reported',
  async (_, lambda, reason) => {
    const { url, reports } = await start(lambda);
    const response = await patch(url);
    expect({
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.text(),
    }).toStrictEqual({
      status: 500,
      type: 'application/json',
      body: '{"message":"Internal Server Error"}',
    });
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain(reason);
  },
);

test('a function that does not answer within its timeout is answered for with 500', async () => {
  const { url, reports } = await start(() => new Promise(() => undefined), 0.05);
  expect((await patch(url)).status).toBe(500);
  expect(reports).toStrictEqual(['function: no answer within 0.05 s']);
});
