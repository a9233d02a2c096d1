import { expect, test } from 'vitest';
import { type HttpRequest, toEvent } from '#local/gateway/http-event.ts';

const aRequest = (overrides: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'PATCH',
  target: '/v1/spaces/s/files/f',
  httpVersion: '1.1',
  rawHeaders: ['Host', 'localhost:3000'],
  sourceIp: '127.0.0.1',
  body: Buffer.alloc(0),
  requestId: 'request-1',
  time: new Date('2026-03-12T19:03:58.123Z'),
  ...overrides,
});

test('the plainest request holds nothing that was not sent', () => {
  expect(toEvent(aRequest())).toStrictEqual({
    version: '2.0',
    routeKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}',
    rawPath: '/v1/spaces/s/files/f',
    rawQueryString: '',
    headers: { host: 'localhost:3000' },
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: {
        method: 'PATCH',
        path: '/v1/spaces/s/files/f',
        protocol: 'HTTP/1.1',
        sourceIp: '127.0.0.1',
        userAgent: '',
      },
      requestId: 'request-1',
      routeKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}',
      stage: '$default',
      time: '12/Mar/2026:19:03:58 +0000',
      timeEpoch: 1773342238123,
    },
    pathParameters: { spaceId: 's', fileId: 'f' },
    isBase64Encoded: false,
  });
});

test('repeated headers are joined by a comma, cookies stand apart', () => {
  const rawHeaders = ['X-User-Id', 'ada', 'x-user-id', 'bob', 'Cookie', 'a=1; b=2', 'cookie', 'c=3'];
  expect(toEvent(aRequest({ rawHeaders }))).toMatchObject({
    headers: { 'x-user-id': 'ada,bob' },
    cookies: ['a=1', 'b=2', 'c=3'],
  });
  expect(toEvent(aRequest({ rawHeaders }))?.headers).not.toHaveProperty('cookie');
});

test('the path is decoded once, and an encoded slash stays inside its parameter', () => {
  expect(toEvent(aRequest({ target: '/v1/spaces/a%2Fb%252F/files/%C3%A9%20+' }))).toMatchObject({
    rawPath: '/v1/spaces/a/b%2F/files/é +',
    pathParameters: { spaceId: 'a/b%2F', fileId: 'é +' },
  });
});

test('the query is given raw and, where there is any, by name', () => {
  expect(toEvent(aRequest({ target: '/v1/spaces/s/files/f?a=1&a=2&b=%20x' }))).toMatchObject({
    rawPath: '/v1/spaces/s/files/f',
    rawQueryString: 'a=1&a=2&b=%20x',
    queryStringParameters: { a: '1,2', b: ' x' },
  });
  expect(toEvent(aRequest({ target: '/v1/spaces/s/files/f?' }))).not.toHaveProperty('queryStringParameters');
});

test('a target in the form for proxies means its path', () => {
  expect(toEvent(aRequest({ target: 'http://localhost:3000/v1/spaces/s/files/f' }))?.rawPath).toBe(
    '/v1/spaces/s/files/f',
  );
});

test.each([
  ['GET', '/v1/spaces/s/files/f'],
  ['patch', '/v1/spaces/s/files/f'],
  ['PATCH', '/'],
  ['PATCH', '*'],
  ['PATCH', '/v1/spaces/s/files'],
  ['PATCH', '/v1/spaces/s/files/'],
  ['PATCH', '/v1/spaces//files/f'],
  ['PATCH', '/v1/spaces/s/files/f/'],
  ['PATCH', '//v1/spaces/s/files/f'],
  ['PATCH', '/v2/spaces/s/files/f'],
  ['PATCH', '/V1/spaces/s/files/f'],
  ['PATCH', '/dev/v1/spaces/s/files/f'],
])('%s %s has no route', (method, target) => {
  expect(toEvent(aRequest({ method, target }))).toBeUndefined();
});

test('a path with broken percent encoding is a URIError', () => {
  expect(() => toEvent(aRequest({ target: '/v1/spaces/%/files/f' }))).toThrow(URIError);
  expect(() => toEvent(aRequest({ target: '/v1/spaces/%ff/files/f' }))).toThrow(URIError);
});
