import { expect, test, vi } from 'vitest';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { readEvent } from '#lib/http/event.ts';
import { toLogLine } from '#lib/http/log-line.ts';
import { openRequest } from '#lib/http/open-request.ts';
import { aContext, anEvent } from '#test/support/event.ts';
import { createTestSystem } from '#test/support/system.ts';

const open = (overrides: Parameters<typeof anEvent>[0] = {}) => {
  const context = openRequest(aContext(), createTestSystem());
  return { context, request: readEvent(anEvent(overrides), context) };
};
const lineOf = (error: unknown) =>
  JSON.parse(toLogLine({}, { statusCode: 500, success: 'updated', error, endedAt: 0 }));

test.each([
  ['Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a:0', true],
  ['Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1', true],
  ['Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0', false],
  ['Self=1;Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1', false],
  ['Root=1-5759e988-bd862e3fe1be46a994272793', false],
  ['', false],
  [undefined, false],
])('the line of a request has the id of its trace only if X-Ray keeps it: %s', (header, isKept) => {
  vi.stubEnv('_X_AMZN_TRACE_ID', header);
  const { traceId } = JSON.parse(toLogLine(open(), { statusCode: 200, success: 'updated', endedAt: 0 }));
  expect(traceId).toBe(isKept ? '1-5759e988-bd862e3fe1be46a994272793' : undefined);
});

// Datadog takes the first of these fields, and anything in it that is no level for `info` ("Log Status Remapper").
test('a line has no other field that log services take for the level', () => {
  const line = JSON.parse(toLogLine(open(), { statusCode: 503, success: 'updated', endedAt: 0 }));
  const read = ['status', 'severity', 'level', 'syslog.severity'].filter((name) => name in line);
  expect(read).toEqual(['level']);
});

test.each([
  [503, 'level', 'bundle', 'outcome'],
  [422, 'level', 'outcome'],
])('the line of status %i has the hash of the bundle if it is an error', (statusCode, ...first) => {
  vi.stubEnv('BUNDLE_HASH', '0123456789abcdef');
  const line = JSON.parse(toLogLine({}, { statusCode, success: 'updated', endedAt: 0 }));
  expect(Object.keys(line)).toEqual([...first, 'statusCode']);
  expect(line.bundle).toBe(statusCode === 503 ? '0123456789abcdef' : undefined);
});

test('a value that was sent is cut at 256 characters and stays on one line', () => {
  const line = toLogLine(open({ spaceId: `a\n\u2028"${'s'.repeat(1000)}` }), {
    statusCode: 404,
    success: 'updated',
    endedAt: 0,
  });
  expect(line).not.toContain('\n');
  expect(JSON.parse(line).spaceId).toBe(`a\n\u2028"${'s'.repeat(252)}`);
});

test.each([
  ['C0 and DEL', '\u0000\u001b[31m\u007f', '\\u0000\\u001b[31m\\u007f'],
  ['C1, which some terminals obey as escape sequences', '\u0080\u009b31m\u009f', '\\u0080\\u009b31m\\u009f'],
  ['separators of lines', '\u2028\u2029', '\\u2028\\u2029'],
  ['marks of direction', '\u200e\u202e\u2066\u061c', '\\u200e\\u202e\\u2066\\u061c'],
  ['what has no width', '\u00ad\u200b\u2060\ufeff', '\\u00ad\\u200b\\u2060\\ufeff'],
  ['tags, of two UTF-16 units', '\u{e0041}', '\\udb40\\udc41'],
  ['letters, marks and emoji as they are', 'Zoë e\u0301 \u00a0 日本 😀', 'Zoë e\u0301 \u00a0 日本 😀'],
])('a value that was sent has in the line %s', (_, spaceId, printed) => {
  const line = toLogLine(open({ spaceId }), { statusCode: 404, success: 'updated', endedAt: 0 });
  expect(line).toContain(`"spaceId":"${printed}"`);
  expect(JSON.parse(line).spaceId).toBe(spaceId);
});

/** As the SDK makes one of a response. */
const denied = Object.assign(new Error('secret'), {
  name: 'AccessDeniedException',
  __type: 'com.amazon.coral.service#AccessDeniedException',
  $metadata: { httpStatusCode: 400, requestId: 'aws-1' },
  $response: { body: 'secret' },
});
const deniedKind = {
  name: 'AccessDeniedException',
  code: 'com.amazon.coral.service#AccessDeniedException',
  httpStatus: 400,
};
const unfit = Object.assign(new Error(), { __type: 'a secret', $metadata: { httpStatusCode: 'secret' } });
const reset = Object.assign(new Error('secret'), { code: 'ECONNRESET' });
/** Codes of Node whose last part are words of OpenSSL. The second one has 77 characters. */
const [alert, longest] = [
  'ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC',
  "ERR_SSL_PEER_HAVEN'T_SENT_GOST_CERTIFICATE,_REQUIRED_FOR_SELECTED_CIPHERSUITE",
];
/** The SDK takes the name of an error from DynamoDB's response. */
const named = Object.assign(new Error(), { name: 'SECRET summary of a file' });
test.each([
  ['no cause', undefined, {}],
  ['an error', new RangeError('secret'), { cause: { name: 'RangeError' } }],
  ['a code of Node', reset, { cause: { name: 'Error', code: 'ECONNRESET' } }],
  ['a code of TLS', Object.assign(new Error(), { code: alert }), { cause: { name: 'Error', code: alert } }],
  ['a long one', Object.assign(new Error(), { code: longest }), { cause: { name: 'Error', code: longest } }],
  ['another code', Object.assign(new Error(), { code: 'secret' }), { cause: { name: 'Error' } }],
  ['more than a code', Object.assign(new Error(), { code: 'secret E1' }), { cause: { name: 'Error' } }],
  [
    'a code of 101 characters',
    Object.assign(new Error(), { code: 'E'.repeat(101) }),
    { cause: { name: 'Error' } },
  ],
  ['a code and more', Object.assign(new Error(), { code: 'E1 secret' }), { cause: { name: 'Error' } }],
  ['no metadata', Object.assign(new Error(), { $metadata: null }), { cause: { name: 'Error' } }],
  ['a number as code', Object.assign(new Error(), { code: 7 }), { cause: { name: 'Error' } }],
  ['an error of DynamoDB', denied, { cause: deniedKind }],
  ['a number as type', Object.assign(new Error(), { __type: 7 }), { cause: { name: 'Error' } }],
  ['fields of another form', unfit, { cause: { name: 'Error' } }],
  ['a name with a space', named, { cause: {} }],
  ['a string', 'secret', {}],
])('logs an API error by its code, its reason and the kind of its cause: %s', (_, cause, logged) => {
  expect(lineOf(new ApiError('unavailable', { reason: 'deadline passed', cause }))).toEqual({
    level: 'error',
    outcome: 'unavailable',
    reason: 'deadline passed',
    statusCode: 500,
    ...logged,
  });
});

const likeAFrame = 'secret\n    at secret (secret.js:1:1)\nsecret';
const oddStack = Object.assign(new Error(), { stack: 'Odd at secret:\n    at f (f.js:1:1)' });
const withoutStack = Object.assign(new Error('secret'), { stack: undefined });
const listedStack = Object.assign(new Error('secret'), { stack: ['secret'] });
const framesFrom = (place: RegExp) =>
  expect.toSatisfy(
    ([first = '', ...rest]: readonly string[]) =>
      place.test(first) && rest.length > 4 && rest.every((frame) => /^at (?!secret)/.test(frame)),
  );
const at = framesFrom(/^at .*log-line\.test\.ts/);
/** As V8 makes one: its message quotes the text. */
const thrownByParse = () => {
  try {
    return JSON.parse('secret');
  } catch (error) {
    return error;
  }
};
test.each([
  ['an error', new TypeError(likeAFrame), { name: 'TypeError', at }],
  ['an error whose message ends as a frame', new Error('x\n    at secret'), { name: 'Error', at }],
  ['an error of JSON.parse', thrownByParse(), { name: 'SyntaxError', at: framesFrom(/^at JSON\.parse /) }],
  ['an error with a code', reset, { name: 'Error', code: 'ECONNRESET', at }],
  ['an error of DynamoDB', denied, { ...deniedKind, at }],
  ['an error of an odd name', oddStack, { name: 'Error', at: ['at f (f.js:1:1)'] }],
  ['an error without a stack', withoutStack, { name: 'Error', at: [] }],
  ['an error whose stack is not a text', listedStack, { name: 'Error', at: [] }],
  ['an internal error', new InternalError('not set: X'), { name: 'InternalError', at }, 'not set: X'],
  ['a string', 'secret', { name: 'string', at: [] }],
  ['null', null, { name: 'object', at: [] }],
])('logs name, code and frames of %s, not its message', (...row) => {
  const [, thrown, error, reason = 'unexpected error'] = row;
  expect(lineOf(thrown)).toEqual({
    level: 'error',
    outcome: 'internal-error',
    reason,
    statusCode: 500,
    error,
  });
});
