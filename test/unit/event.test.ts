import { describe, expect, test } from 'vitest';
import { openRequest } from '#lib/http/event.ts';
import { aRequestContext, createEnvironment } from '#test/support/environment.ts';
import { aContext, anEvent, aRestEvent } from '#test/support/event.ts';
import { FILE_ID, NOW } from '#test/support/given.ts';

const open = (event: unknown, context: Parameters<typeof openRequest>[1] = aContext()) => {
  const { addLogFields: _, ...request } = openRequest(event, context, createEnvironment());
  return request;
};

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
  logFields: {},
};

test.each([
  [anEvent(), '2.0'],
  [aRestEvent(), '1.0'],
  [aRestEvent({ extra: { version: '1.0' } }), '1.0'],
])('an event of either format becomes the same request (%#)', (event, format) => {
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

const nulls = {
  headers: null,
  pathParameters: null,
  body: null,
  isBase64Encoded: null,
  requestContext: null,
};
test.each([
  [{ version: '2.0' }, '2.0'],
  [{ version: '2.0', ...nulls }, '2.0'],
  [{ version: '2.0', requestContext: { requestId: null, http: null } }, '2.0'],
  [{ httpMethod: 'PATCH' }, '1.0'],
  [{ httpMethod: 'PATCH', ...nulls, multiValueHeaders: null }, '1.0'],
  [{ version: '2.0', headers: { a: 'x', b: 7 } }, 'unrecognized'],
  [undefined, 'unrecognized'],
])('what event %j does not have is empty', (event, format) => {
  expect(open(event)).toEqual({ ...emptyRequest, format });
});

test.each([
  ['a%20b', 'a b'],
  ['a%2Fb', 'a/b'],
  ['a%252Fb', 'a%2Fb'],
  ['a+b', 'a+b'],
  ['%zz', ''],
  ['%ff', ''],
  ['%ed%a0%80', ''],
])('path parameter %s is decoded once in format 1.0 and is kept in 2.0', (sent, decoded) => {
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
    const request = open({ httpMethod: 'PATCH', headers, multiValueHeaders });
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
])('a request has 5 s, or what Lambda has left without 500 ms (%#)', (context, deadline) => {
  expect(open(anEvent(), context).context.deadline).toBe(deadline);
});
