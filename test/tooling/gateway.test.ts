import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { type LambdaFunction, loadFunction } from '#tools/dev-server/lambda.ts';
import { startStubGateway } from '../support/gateway.ts';

let close = async () => {};
afterEach(() => close());

const start = async (lambda: LambdaFunction = () => ({ statusCode: 200 }), timeoutSeconds?: number) => {
  const gateway = await startStubGateway(lambda, timeoutSeconds);
  close = gateway.close;
  return gateway;
};

const path = '/v1/spaces/s/files/f';

/** Sends the lines of a request as they are, because fetch would normalize them. Returns status and body. */
const sendRaw = async (port: number, firstLine: string, ...headers: string[]) => {
  const socket = connect(port, '127.0.0.1');
  socket.write([firstLine, 'host: x', 'connection: close', ...headers, '', ''].join('\r\n'));
  const response = await text(socket);
  return { status: Number(response.split(' ')[1]), body: response.slice(response.indexOf('\r\n\r\n') + 4) };
};

const message = (status: number, text: string) => ({ status, body: JSON.stringify({ message: text }) });

describe('the event', () => {
  test('is that of payload format 2.0', async () => {
    const { port, calls } = await start();
    const before = Date.now();
    const target = '/v1/spaces/a%2Fb%252F/files/%C3%A9%20+?a=1&a=2&b=%20x';
    const headers = ['X-User-Id: ada', 'x-user-id: bob', 'Cookie: a=1; b=2', 'user-agent: test'];
    await sendRaw(port, `PATCH ${target} HTTP/1.1`, ...headers, 'content-type: a', 'Content-Type: b');
    const { time, timeEpoch } = calls[0]?.event.requestContext ?? { time: '', timeEpoch: 0 };
    expect(calls.map(({ event }) => event)).toStrictEqual([
      {
        version: '2.0',
        routeKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}',
        rawPath: '/v1/spaces/a/b%2F/files/é +',
        pathParameters: { spaceId: 'a/b%2F', fileId: 'é +' },
        rawQueryString: 'a=1&a=2&b=%20x',
        queryStringParameters: { a: '1,2', b: ' x' },
        cookies: ['a=1', 'b=2'],
        headers: {
          host: 'x',
          connection: 'close',
          'x-user-id': 'ada,bob',
          'user-agent': 'test',
          'content-type': 'a,b',
        },
        requestContext: {
          accountId: '000000000000',
          apiId: 'local',
          domainName: 'x',
          domainPrefix: 'x',
          http: {
            method: 'PATCH',
            path: '/v1/spaces/a/b%2F/files/é +',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'test',
          },
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          routeKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}',
          stage: '$default',
          time: expect.stringMatching(/^\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} \+0000$/),
          timeEpoch: expect.any(Number),
        },
        isBase64Encoded: false,
      },
    ]);
    expect(timeEpoch).toBeGreaterThanOrEqual(before);
    expect(Date.parse(time.replace(/\//g, ' ').replace(':', ' '))).toBe(Math.floor(timeEpoch / 1000) * 1000);
  });

  const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
  test.each<[string, Record<string, string>, string | Buffer, string | undefined, boolean]>([
    ['JSON is text', { 'content-type': 'application/json' }, '\uFEFF{"é":1}', '\uFEFF{"é":1}', false],
    ['upper case is the same', { 'content-type': 'Application/JSON; charset=utf-8' }, '{}', '{}', false],
    ['+json is text', { 'content-type': 'application/merge-patch+json' }, '{}', '{}', false],
    ['XML is text', { 'content-type': 'application/xml' }, '<a/>', '<a/>', false],
    ['text is text', { 'content-type': 'text/plain' }, 'a', 'a', false],
    ['no body', { 'content-type': 'application/json' }, '', undefined, false],
    ['bytes that are not UTF-8', { 'content-type': 'application/json' }, bytes, 'eyL/In0=', true],
    ['another type', { 'content-type': 'application/jsonx' }, '{}', 'e30=', true],
    ['compressed', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, '{}', 'e30=', true],
  ])('body: %s', async (_, headers, sent, body, isBase64Encoded) => {
    const { url, calls } = await start();
    await fetch(url + path, { method: 'PATCH', headers, body: sent });
    expect(calls[0]?.event.body).toBe(body);
    expect(calls[0]?.event.isBase64Encoded).toBe(isBase64Encoded);
  });

  test('comes with the limits of serverless.yml', async () => {
    const { url, calls } = await start();
    await fetch(url + path, { method: 'PATCH' });
    expect(calls[0]?.context.memoryLimitInMB).toBe('512');
    expect(calls[0]?.context.getRemainingTimeInMillis()).toBeLessThanOrEqual(10_000);
  });
});

test('the response of the function is sent as it is', async () => {
  const { url } = await start(() => ({
    statusCode: 201,
    headers: { 'Content-Type': 'text/plain', 'x-count': 3 },
    cookies: ['a=1', 'b=2'],
    body: Buffer.from('naïve').toString('base64'),
    isBase64Encoded: true,
  }));
  const response = await fetch(url + path, { method: 'PATCH' });
  expect([response.status, await response.text()]).toStrictEqual([201, 'naïve']);
  expect(
    [...response.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)),
  ).toStrictEqual([
    ['content-length', '6'],
    ['content-type', 'text/plain'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['x-count', '3'],
  ]);
});

test.each([
  [`GET ${path}`, 404],
  ['PATCH /', 404],
  ['PATCH /v1/spaces/s/files/', 404],
  ['PATCH /v1/spaces//files/f', 404],
  [`PATCH ${path}/`, 404],
  [`PATCH /${path}`, 404],
  ['PATCH /V1/spaces/s/files/f', 404],
  ['PATCH /v1/spaces/%zz/files/f', 400],
  ['PATCH /v1/spaces/s/files/%ff', 400],
])('%s is rejected with %i, without the function', async (line, status) => {
  const { port, calls } = await start();
  const expected = message(status, status === 404 ? 'Not Found' : 'Bad Request');
  expect(await sendRaw(port, `${line} HTTP/1.1`)).toStrictEqual(expected);
  expect(calls).toStrictEqual([]);
});

test.each([
  [10 * 1024 * 1024, 200],
  [10 * 1024 * 1024 + 1, 413],
])('a body of %i bytes: %i', async (length, status) => {
  const { url, calls } = await start();
  const response = await fetch(url + path, { method: 'PATCH', body: 'x'.repeat(length) });
  const body = status === 413 ? '{"message":"Request Entity Too Large"}' : '';
  expect([response.status, await response.text()]).toStrictEqual([status, body]);
  expect(calls).toHaveLength(status === 413 ? 0 : 1);
});

const fails = () => {
  throw new Error('no\nluck');
};

test.each<[string, LambdaFunction, string]>([
  ['throws', fails, 'function: no luck'],
  ['rejects', async () => fails(), 'function: no luck'],
  ['returns nothing', () => undefined, 'expected object, received null'],
  ['returns no status', () => ({ body: 'x' }), 'at statusCode'],
  ['returns an interim status', () => ({ statusCode: 100 }), 'at statusCode'],
  ['returns an object as body', () => ({ statusCode: 200, body: {} }), 'at body'],
  ['returns a list as header', () => ({ statusCode: 200, headers: { a: ['b'] } }), 'at headers.a'],
  [
    'returns an invalid header',
    () => ({ statusCode: 200, headers: { first: '1', a: 'b\nc' } }),
    'Invalid character in header',
  ],
  ['cannot be loaded', loadFunction('/nowhere/x.cjs', process.stdout), "Cannot find module '/nowhere/x.cjs'"],
  ['is too slow', () => new Promise(() => undefined), 'no response within 0.05 s'],
])('a function that %s is a 500, and the reason is reported', async (_, lambda, reason) => {
  const { url, reports } = await start(lambda, 0.05);
  const response = await fetch(url + path, { method: 'PATCH' });
  const sent = { status: response.status, body: await response.text() };
  expect(sent).toStrictEqual(message(500, 'Internal Server Error'));
  expect(response.headers.has('first')).toBe(false);
  expect(reports).toStrictEqual([expect.stringContaining(reason)]);
});
