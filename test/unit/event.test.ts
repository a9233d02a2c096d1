import { describe, expect, test } from 'vitest';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { openRequest } from '#lib/http/event.ts';
import { aRequestContext, createEnvironment } from '#test/support/environment.ts';
import { aContext, anEvent, aRestEvent } from '#test/support/event.ts';
import { FILE_ID, NOW } from '#test/support/given.ts';

const open = (event: unknown, context: Parameters<typeof openRequest>[1] = aContext()) =>
  openRequest(event, context, createEnvironment());

const emptyRequest = {
  gatewayRequestId: undefined,
  headers: new Map(),
  spaceId: '',
  fileId: '',
  body: '',
  isBase64Encoded: false,
  context: aRequestContext(),
  startedAt: NOW,
  awsRequestId: 'lambda-1',
};

test.each([
  [anEvent(), '2.0'],
  [aRestEvent(), '1.0'],
  [aRestEvent({ extra: { version: '1.0' } }), '1.0'],
])('reads the same request from an event of either format (%#)', (event, format) => {
  expect(open(event)).toEqual({
    ...emptyRequest,
    format,
    gatewayRequestId: 'gateway-1',
    headers: new Map([
      ['content-type', 'application/json'],
      ['x-api-key', 'editor-key'],
      ['x-tenant-id', 'acme'],
      ['x-user-id', 'grace'],
    ]),
    spaceId: 'handbook',
    fileId: FILE_ID,
    body: '{"summary":"New."}',
  });
});

const pathParameters = { spaceId: 'a', fileId: 'b' };
const nulls = { headers: null, body: null, isBase64Encoded: null };
const http = { method: 'PATCH' };
test.each([
  [{ version: '2.0', requestContext: { http }, pathParameters }, '2.0'],
  [{ version: '2.0', requestContext: { requestId: null, http }, pathParameters, ...nulls }, '2.0'],
  [{ httpMethod: 'PATCH', pathParameters }, '1.0'],
  [{ httpMethod: 'PATCH', requestContext: null, multiValueHeaders: null, pathParameters, ...nulls }, '1.0'],
])('reads as empty what event %j does not have', (event, format) => {
  expect(open(event)).toEqual({ ...emptyRequest, format, spaceId: 'a', fileId: 'b' });
});

test.each([
  [undefined],
  [{}],
  [anEvent({ extra: { headers: { a: 'x', b: 7 } } })],
  [anEvent({ extra: { headers: 7 } })],
  [anEvent({ extra: { requestContext: { http: { method: 'GET' } } } })],
  [anEvent({ extra: { requestContext: { http: {} } } })],
  [anEvent({ extra: { requestContext: null } })],
  [aRestEvent({ extra: { httpMethod: 'PUT' } })],
  [aRestEvent({ extra: { httpMethod: null } })],
])('reads nothing of an event that is no PATCH request (%#)', (event) => {
  const error = new ApiError('user-id-missing', {
    reason: 'event is not a PATCH request of a known format',
  });
  expect(open(event)).toEqual({ ...emptyRequest, format: 'unrecognized', error });
});

/** Events of triggers that are not our route, for the path as it was sent. */
const otherTriggers = {
  'a Function URL': (rawPath: string, extra = {}) =>
    anEvent({
      extra: {
        rawPath,
        pathParameters: undefined,
        requestContext: {
          domainName: 'abc.lambda-url.eu-west-1.on.aws',
          http,
          requestId: 'gateway-1',
        },
        ...extra,
      },
    }),
  'the route {proxy+} of a REST API': (path: string, extra = {}) =>
    aRestEvent({ extra: { path, pathParameters: { proxy: path.slice(1) }, ...extra } }),
  'a route of a REST API with other parameters': (path: string, extra = {}) =>
    aRestEvent({ extra: { path, pathParameters: { spaceId: 'other' }, ...extra } }),
  'a load balancer': (path: string, extra = {}) => {
    const { pathParameters: _, multiValueHeaders: __, ...event } = aRestEvent();
    return { ...event, path, requestContext: { elb: { targetGroupArn: 'arn' } }, ...extra };
  },
  'a load balancer with multi-value headers': (path: string, extra = {}) => {
    const { pathParameters: _, ...event } = aRestEvent();
    return { ...event, headers: null, path, requestContext: { elb: { targetGroupArn: 'arn' } }, ...extra };
  },
};
describe.each(Object.entries(otherTriggers))('an event of %s', (_, toEvent) => {
  test.each([
    ['/v1/spaces/handbook/files/a', 'handbook', 'a'],
    ['/v1/spaces/hand%20book/files/a%2Fb%3Fc%23d', 'hand book', 'a/b?c#d'],
    ['/v1/spaces/h%252Fb/files/a+b%25', 'h%2Fb', 'a+b%'],
    ['/v1/spaces/%c3%a9/files/%zz', 'é', ''],
  ])('is read by its path, which is decoded once: %s', (path, spaceId, fileId) => {
    const request = open(toEvent(path));
    expect(request).toMatchObject({ spaceId, fileId, body: '{"summary":"New."}' });
    expect(request.headers.get('x-user-id')).toBe('grace');
    expect(request.error).toBeUndefined();
  });

  test.each([
    '/',
    '',
    '/v1/spaces/a',
    '/v1/spaces/a/files/',
    '/v1/spaces//files/b',
    '/v1/spaces/a/files/b/',
    '/v1/spaces/a/files/b/tags',
    '/v2/spaces/a/files/b',
    '/v1/Spaces/a/files/b',
    '/prod/v1/spaces/a/files/b',
  ])('is not read if its path is not that of the route: %s', (path) => {
    const request = open(toEvent(path));
    const error = new ApiError('user-id-missing', {
      reason: 'path is not /v1/spaces/{spaceId}/files/{fileId}',
    });
    expect(request).toMatchObject({ format: 'unrecognized', spaceId: '', fileId: '', body: '', error });
    expect(request.headers.size).toBe(0);
  });

  test('is not read if its path is missing', () => {
    const request = open(toEvent('/v1', { path: null, rawPath: undefined }));
    expect(request).toMatchObject({ format: 'unrecognized', error: { code: 'user-id-missing' } });
  });
});

const wrongTrigger = new InternalError(
  'wrong trigger: use the route PATCH /v1/spaces/{spaceId}/files/{fileId}, which has path parameters',
);
const path = '/v1/spaces/handbook/files/a';
const ofHttpApi = (domainName: unknown, pathParameters: unknown) =>
  anEvent({
    extra: {
      rawPath: path,
      pathParameters,
      requestContext: { domainName, http, requestId: 'gateway-1' },
    },
  });
test.each([
  ['the route $default', ofHttpApi('abc.execute-api.eu-west-1.amazonaws.com', undefined)],
  ['the route {proxy+}', ofHttpApi('files.example.com', { proxy: path.slice(1) })],
  ['an API without a domain', ofHttpApi(undefined, null)],
  ['parameters of other names', ofHttpApi('files.example.com', { space: 'handbook', file: 'a' })],
  ['one of the parameters', ofHttpApi('files.example.com', { fileId: 'a' })],
  ['payload format 1.0', aRestEvent({ extra: { version: '1.0', path, pathParameters: null } })],
])('does not read an event of another route of an HTTP API, which alters the path: %s', (_, event) => {
  expect(open(event)).toEqual({
    ...emptyRequest,
    format: 'unrecognized',
    gatewayRequestId: 'gateway-1',
    error: wrongTrigger,
  });
});

test.each([
  ['a%20b', 'a b'],
  ['a%2Fb', 'a/b'],
  ['a%252Fb', 'a%2Fb'],
  ['a+b', 'a+b'],
  ['%zz', ''],
  ['%ff', ''],
  ['%ed%a0%80', ''],
])('decodes the path parameter %s once in format 1.0 and keeps it in 2.0', (sent, decoded) => {
  expect(open(aRestEvent({ fileId: sent })).fileId).toBe(decoded);
  expect(open(anEvent({ fileId: sent })).fileId).toBe(sent);
});

describe('headers are found by lower-case name, and repeated ones are joined', () => {
  test.each([
    ['one letter case', { 'X-User-ID': 'a' }, {}, { 'x-user-id': 'a' }],
    ['two spellings', { 'X-User-Id': 'a', 'x-user-id': 'b' }, {}, { 'x-user-id': 'a,b' }],
    ['all values', { 'X-User-Id': 'b' }, { 'X-User-Id': ['a', 'b'] }, { 'x-user-id': 'a,b' }],
    ['the same value in both forms', { 'X-User-Id': 'a' }, { 'x-user-id': ['a'] }, { 'x-user-id': 'a' }],
    ['two values in the two forms', { 'x-user-id': 'b' }, { 'X-User-Id': ['a'] }, { 'x-user-id': 'a,b' }],
    ['the same value twice', { 'x-user-id': 'a', 'X-USER-ID': 'a' }, {}, { 'x-user-id': 'a,a' }],
    ['no values', { a: null, b: undefined, f: 'x' }, { c: null, d: undefined, e: [] }, { f: 'x' }],
    ['an inherited name', { constructor: 'a' }, {}, { constructor: 'a' }],
  ])('%s', (_, headers, multiValueHeaders, expected) => {
    const request = open({ httpMethod: 'PATCH', pathParameters, headers, multiValueHeaders });
    expect(request.headers).toEqual(new Map(Object.entries(expected)));
  });
});

test.each([
  [aContext(0), -500],
  [aContext(550), 50],
  [aContext(1000.5), 500.5],
  [aContext(5_500), 5_000],
  [aContext(30_000), 5_000],
  [{}, 5_000],
])('gives a request 5 s, or the time that Lambda has left minus 500 ms (%#)', (context, deadline) => {
  expect(open(anEvent(), context).context.deadline).toBe(deadline);
});
