import { afterEach, expect, test } from 'vitest';
import { type LambdaFunction, loadFunction } from '#local/gateway/lambda-function.ts';
import { startStubGateway } from './support/stub-gateway.ts';

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

const start = async (lambda: LambdaFunction, timeoutSeconds?: number) => {
  const gateway = await startStubGateway(lambda, timeoutSeconds);
  close = gateway.close;
  return gateway;
};

const patch = (url: string) => fetch(`${url}/v1/spaces/s/files/f`, { method: 'PATCH' });
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
