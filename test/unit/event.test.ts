import { describe, expect, test } from 'vitest';
import { InternalError } from '#lib/domain/errors.ts';
import { readEvent } from '#lib/http/event.ts';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { FILE_ID } from '#test/support/given.ts';

const emptyRequest = {
  gatewayRequestId: undefined,
  headers: new Map(),
  body: '',
  isBase64Encoded: false,
};

test.each([
  [anEvent(), '2.0'],
  [aRestEvent(), '1.0'],
  [aRestEvent({ extra: { version: '1.0' } }), '1.0'],
])('reads the same request from an event of either format (%#)', (event, format) => {
  expect(readEvent(event)).toEqual({
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
    isBase64Encoded: false,
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
])('missing parts of %j read as empty', (event, format) => {
  expect(readEvent(event)).toEqual({ ...emptyRequest, format, spaceId: 'a', fileId: 'b' });
});

const noEvent = 'record: invalid_type';
const notFormat1 = 'pathParameters: invalid_type, httpMethod: invalid_value';
const noParameters = 'pathParameters: invalid_type';
const rest = (extra: object) => aRestEvent({ extra: { ...extra } });
const http2 = (extra: object) => anEvent({ extra: { ...extra } });
test.each<[trigger: string, event: unknown, problem: string]>([
  ['nothing', undefined, noEvent],
  ['null', null, noEvent],
  ['a text', 'PATCH', noEvent],
  ['a ping', {}, notFormat1],
  ['a queue', { Records: [{ body: '{"summary":"New."}' }] }, notFormat1],
  ['another format', http2({ version: '3.0' }), 'version: invalid_value, httpMethod: invalid_value'],
  [
    'a Function URL, or the route $default of an HTTP API',
    http2({ pathParameters: undefined }),
    noParameters,
  ],
  [
    'the route {proxy+} of an HTTP API',
    http2({ pathParameters: { proxy: 'v1/spaces/handbook/files/a' } }),
    'pathParameters.spaceId: invalid_type, pathParameters.fileId: invalid_type',
  ],
  ['a load balancer', rest({ pathParameters: undefined, requestContext: { elb: {} } }), noParameters],
  [
    'the route {proxy+} of a REST API',
    rest({ pathParameters: { proxy: 'v1/spaces/handbook/files/a' } }),
    'pathParameters.spaceId: invalid_type, pathParameters.fileId: invalid_type',
  ],
  ['one parameter', http2({ pathParameters: { fileId: 'a' } }), 'pathParameters.spaceId: invalid_type'],
  [
    'a parameter of another type',
    rest({ pathParameters: { spaceId: 'a', fileId: 7 } }),
    'pathParameters.fileId: invalid_type',
  ],
  [
    'another method',
    http2({ requestContext: { http: { method: 'GET' } } }),
    'requestContext.http.method: invalid_value',
  ],
  ['no method', http2({ requestContext: { http: {} } }), 'requestContext.http.method: invalid_value'],
  ['no context', http2({ requestContext: null }), 'requestContext: invalid_type'],
  ['another method of a REST API', rest({ httpMethod: 'PUT' }), 'httpMethod: invalid_value'],
  ['headers that are no texts', http2({ headers: { a: 'x', b: 7 } }), 'headers: custom'],
  ['headers that are no object', http2({ headers: 7 }), 'headers: custom'],
])('an event of %s is of a wrong trigger, and the error names what does not fit', (_, event, problem) => {
  expect(() => readEvent(event)).toThrow(new InternalError(`wrong trigger: event does not fit: ${problem}`));
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
  expect(readEvent(aRestEvent({ fileId: sent })).fileId).toBe(decoded);
  expect(readEvent(anEvent({ fileId: sent })).fileId).toBe(sent);
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
    const request = readEvent({ httpMethod: 'PATCH', pathParameters, headers, multiValueHeaders });
    expect(request.headers).toEqual(new Map(Object.entries(expected)));
  });
});
