import { describe, expect, test } from 'vitest';
import { readEvent } from '#lib/http/event.ts';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { FILE_ID } from '#test/support/given.ts';

const nothing = {
  format: 'unrecognized',
  gatewayRequestId: undefined,
  headers: new Map(),
  spaceId: '',
  fileId: '',
  body: '',
  isBase64Encoded: false,
};

test('both formats tell the same request', () => {
  const request = {
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
  };
  expect(readEvent(anEvent())).toEqual({ ...request, format: '2.0' });
  expect(readEvent(aRestEvent())).toEqual({ ...request, format: '1.0' });
  expect(readEvent(aRestEvent({ extra: { version: '1.0' } }))).toEqual({ ...request, format: '1.0' });
});

describe('a path parameter', () => {
  test.each([
    ['a%20b', 'a b'],
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['a+b', 'a+b'],
    ['%zz', ''],
    ['%ff', ''],
    ['%ed%a0%80', ''],
  ])('%s is decoded once in format 1.0 and left alone in 2.0', (sent, decoded) => {
    expect(readEvent(aRestEvent({ fileId: sent })).fileId).toBe(decoded);
    expect(readEvent(anEvent({ fileId: sent })).fileId).toBe(sent);
  });
});

test.each([
  [{ version: '2.0' }, '2.0'],
  [
    {
      version: '2.0',
      headers: {},
      pathParameters: {},
      body: null,
      isBase64Encoded: null,
      requestContext: {},
    },
    '2.0',
  ],
  [{ version: '2.0', requestContext: { requestId: null, http: null } }, '2.0'],
  [{ httpMethod: 'PATCH' }, '1.0'],
  [{ httpMethod: 'PATCH', headers: null, multiValueHeaders: null, pathParameters: null, body: null }, '1.0'],
])('what an event leaves out was not sent: %j', (event, format) => {
  expect(readEvent(event)).toEqual({ ...nothing, format });
});

test.each([
  undefined,
  null,
  'PATCH',
  [],
  {},
  { version: 2 },
  { version: '1.0' },
  { version: '3.0', httpMethod: 'PATCH' },
  { httpMethod: 'patch' },
  { version: '2.0', body: {} },
  { version: '2.0', isBase64Encoded: 'true' },
  { version: '2.0', pathParameters: { spaceId: 7 } },
  { version: '2.0', pathParameters: [] },
  { version: '2.0', headers: 'accept' },
])('anything else was no request: %j', (event) => {
  expect(readEvent(event)).toEqual(nothing);
});
