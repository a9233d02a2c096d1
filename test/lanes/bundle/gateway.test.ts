import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '#tools/dev-server/gateway.ts';
import type { LambdaFunction } from '#tools/lambda.ts';
import { listen } from '#tools/listen.ts';

const created = { statusCode: 201, headers: { etag: '"1"' }, body: 'naïve' };

/**
 * Starts the gateway with a function of the test, and sends it a path as it is: fetch would normalize it. Returns the
 * response, the calls of the function and the reports.
 */
const send = async (
  path: string,
  {
    lambda = (() => created) as LambdaFunction,
    method = 'PATCH',
    host = 'localhost',
    headers = [] as string[],
    body = '' as string | Buffer,
  } = {},
) => {
  const calls: Parameters<Parameters<typeof startGateway>[0]['lambda']>[] = [];
  const reports: string[] = [];
  const { port, close } = await startGateway({
    lambda: (...call) => {
      calls.push(call);
      const [event, context] = call;
      return lambda(event, context);
    },
    report: (line) => void reports.push(line),
  });
  onTestFinished(close);
  const options = {
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: ['host', host, ...headers],
    agent: false,
  };
  const [response] = await once(request(options).end(body), 'response');
  const { date, ...received } = response.headers;
  return { status: response.statusCode, headers: received, body: await text(response), calls, reports };
};

const path = '/v1/spaces/s/files/f';

test('the gateway calls the function with an event of payload format 2.0, and sends its response as it is', async () => {
  const headers = ['X-User-Id', 'ada', 'x-user-id', 'bob', 'content-type', 'a', 'Content-Type', 'b'];
  const target = '/v1/spaces/a%252Fb/files/%C3%A9%20+?a=1&b=%20x';
  const { calls, reports, ...response } = await send(target, { headers });
  const [event, context, name] = calls[0] ?? expect.unreachable();
  expect(name).toBe('updateFile');
  expect(event).toStrictEqual({
    version: '2.0',
    routeKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}',
    rawPath: '/v1/spaces/a/b/files/é +',
    pathParameters: { spaceId: 'a/b', fileId: 'é +' },
    rawQueryString: 'a=1&b=%20x',
    headers: {
      host: 'localhost',
      'x-user-id': 'ada,bob',
      'content-type': 'a,b',
      connection: 'close',
      'transfer-encoding': 'chunked',
    },
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: {
        method: 'PATCH',
        path: '/v1/spaces/a/b/files/é +',
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: '',
      },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      routeKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}',
      stage: '$default',
      time: expect.any(String),
      timeEpoch: expect.any(Number),
    },
    isBase64Encoded: false,
  });
  const sent = { etag: '"1"', connection: 'close', 'content-length': '6' };
  expect(response).toStrictEqual({ status: 201, headers: sent, body: 'naïve' });
  expect(context.memoryLimitInMB).toBe('512');
  expect(context.getRemainingTimeInMillis()).toBeLessThanOrEqual(10_000);
});

// What others have captured of `rawPath` behind an HTTP API (docs/contract.md, Ids in the path).
test.each([
  ['space%20value', 'space value'],
  ['question%3Fvalue', 'question'],
  ['hash%23value', 'hash#value'],
  ['unicode-%CE%BB-%E4%B8%96%E7%95%8C', 'unicode-λ-世界'],
  ['literal%252Fvalue', 'literal/value'],
  ['literal%253Fvalue', 'literal?value'],
  ['literal%2525value', 'literal%value'],
])('the gateway passes on the id %s as %s', async (sent, id) => {
  const { calls } = await send(`/v1/spaces/s/files/${sent}?a=%3F%2525`);
  const [{ rawPath, pathParameters, rawQueryString }] = calls[0] ?? expect.unreachable();
  expect({ rawPath, pathParameters, rawQueryString }).toStrictEqual({
    rawPath: `/v1/spaces/s/files/${id}`,
    pathParameters: { spaceId: 's', fileId: id },
    rawQueryString: 'a=%3F%2525',
  });
});

const notUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);

test.each<[string, string, string | Buffer, string | undefined, boolean]>([
  ['JSON as text', 'Application/JSON; charset=utf-8', '\uFEFF{"é":1}', '\uFEFF{"é":1}', false],
  ['text as text', 'text/plain', 'a', 'a', false],
  ['no body', 'application/json', '', undefined, false],
  ['bytes that are not UTF-8 in base64', 'application/json', notUtf8, 'eyL/In0=', true],
  ['another type in base64', 'application/jsonx', '{}', 'e30=', true],
  ['+json in base64', 'application/merge-patch+json; charset=utf-8', '{}', 'e30=', true],
  ['+xml in base64', 'application/atom+xml', '{}', 'e30=', true],
  ['no type in base64', '', '{}', 'e30=', true],
])('the gateway passes on %s', async (_, type, body, expected, isBase64Encoded) => {
  const { calls } = await send(path, { headers: ['content-type', type], body });
  const [event] = calls[0] ?? expect.unreachable();
  expect([event.body, event.isBase64Encoded]).toStrictEqual([expected, isBase64Encoded]);
});

test.each([
  ['PUT', path, 0, 404, 'Not Found'],
  ['PATCH', '/v1/spaces/s/files/', 0, 404, 'Not Found'],
  ['PATCH', '/V1/spaces/s/files/f', 0, 404, 'Not Found'],
  ['PATCH', '/v1/spaces/s/files/slash%2Fvalue', 0, 404, 'Not Found'],
  ['PATCH', '/v1/spaces/s%3F/files/f', 0, 404, 'Not Found'],
  ['PATCH', '/v1/spaces/%zz/files/f', 0, 400, 'Bad Request'],
  ['PATCH', '/v1/spaces/s/files/percent%25done', 0, 400, 'Bad Request'],
  ['PATCH', path, 10 * 1024 * 1024 + 1, 413, 'Request Entity Too Large'],
])('the gateway rejects %s %s with %i bytes: %i', async (method, target, bytes, status, message) => {
  const { calls, ...response } = await send(target, { method, body: Buffer.alloc(bytes) });
  expect([response.status, response.body]).toStrictEqual([status, JSON.stringify({ message })]);
  expect(calls).toStrictEqual([]);
});

test.each([
  ['localhost:3000', undefined, 201],
  ['127.0.0.1:3000', 'http://localhost:5173', 201],
  ['[::1]', 'http://127.0.0.1', 201],
  // A name that an attacker has pointed to this machine.
  ['evil.example:3000', undefined, 403],
  ['localhost', 'https://evil.example', 403],
  ['localhost', 'https://localhost.evil.example', 403],
  ['localhost', 'null', 403],
])('the gateway responds to a request with Host %s and Origin %s with %i', async (host, origin, status) => {
  const headers = origin === undefined ? [] : ['origin', origin];
  const { status: received, calls } = await send(path, { host, headers });
  expect([received, calls.length]).toStrictEqual([status, status === 201 ? 1 : 0]);
});

test.each([
  ['localhost', undefined, 204],
  ['evil.example:3000', undefined, 403],
  ['localhost', 'https://evil.example', 403],
])('the page at /docs is served to Host %s and Origin %s with %i', async (host, origin, status) => {
  const servePage = (_: unknown, response: ServerResponse) => {
    response.writeHead(204).end();
    return true;
  };
  const { port, close } = await startGateway({ lambda: () => expect.unreachable(), servePage });
  onTestFinished(close);
  const headers = { host, ...(origin && { origin }) };
  const [response] = await once(request({ port, path: '/docs', headers }).end(), 'response');
  response.resume();
  expect(response.statusCode).toBe(status);
});

test.each<[string, LambdaFunction, string]>([
  ['rejects', async () => Promise.reject(new Error('no\nluck')), 'function: no luck'],
  ['returns nothing', () => undefined, 'expected object, received undefined'],
  ['returns an object as body', () => ({ statusCode: 200, headers: {}, body: {} }), 'expected string'],
])('the gateway sends a 500 and reports the reason if the function %s', async (_, lambda, reason) => {
  const { status, body, reports } = await send(path, { lambda });
  expect([status, body]).toStrictEqual([500, '{"message":"Internal Server Error"}']);
  expect(reports).toStrictEqual([expect.stringContaining(reason)]);
});

/** The addresses of `localhost` that this machine has. */
const internal = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
const loopbacks = ['127.0.0.1', '::1'].filter((address) => internal.includes(address));

test.each(loopbacks)('the gateway takes no port that another program has at %s', async (host) => {
  const server = createServer();
  onTestFinished(async () => void (await once(server.close(), 'close')));
  const port = await listen(server, 0, host);
  await expect(startGateway({ port, lambda: () => expect.unreachable() })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    address: host,
    port,
  });
});
