import { aBasicFile } from '#test/support/fixtures.ts';
import {
  aCase,
  accepted,
  type Case,
  casesOnly,
  type Expected,
  rejected,
  type Sent,
  updated,
  usualBody,
} from './case.ts';
import { encodeTwice, fixture } from './fixture.ts';

/* Cases that no URL can lead to: events of other triggers, forms of an event, and what HTTP would not pass on. */

const { apiKeys, tenantId, userId } = fixture;
const [spaceId, fileId] = [fixture.spaces.public, fixture.files.detailed.id];

/** Cases for both formats of events, and for one of them. */
const inBoth = casesOnly('event');
const in1 = casesOnly('1.0');
const in2 = casesOnly('2.0');

/** Nothing of the event is in the log. */
const wrongTrigger = (problem: string): Expected => ({
  ...rejected('internal-error', `wrong trigger: event does not fit: ${problem}`),
  log: {
    gatewayRequestId: undefined,
    format: undefined,
    userId: undefined,
    tenantId: undefined,
    keyId: undefined,
    spaceId: undefined,
    fileId: undefined,
  },
});
const http = (more: object) => ({ members: { requestContext: { http: more } } });
const parameters = (pathParameters: unknown): Sent => ({ members: { pathParameters } });

const triggers: readonly Case[] = [
  ...in2(wrongTrigger('record: invalid_type'), {
    'null is of a wrong trigger': { event: null },
    'A text is of a wrong trigger': { event: 'PATCH' },
    'A list is of a wrong trigger': { event: [] },
  }),
  ...in2(wrongTrigger('pathParameters: invalid_type, httpMethod: invalid_type'), {
    'A ping is of a wrong trigger': { event: {} },
    'A queue is a wrong trigger': { event: { Records: [{ body: usualBody }] } },
    'Inherited members do not make an event': {
      event: JSON.parse('{"__proto__":{"version":"2.0"},"constructor":{"prototype":{"body":1}}}'),
    },
  }),
  ...in2(wrongTrigger('version: invalid_type, httpMethod: invalid_type'), {
    'Format 3.0 is of a wrong trigger': { members: { version: '3.0' } },
    'A format that is a number is of a wrong trigger': { members: { version: 2 } },
  }),
  ...in1(wrongTrigger('version: invalid_type'), {
    'Format 3.0 of a REST API is of a wrong trigger': { members: { version: '3.0' } },
    // It has decoded the path: decoded again, %2541 would name the file of %41.
    'An HTTP API in format 1.0 is a wrong trigger': {
      members: {
        version: '1.0',
        pathParameters: { spaceId, fileId: `%${fileId.charCodeAt(0).toString(16)}${fileId.slice(1)}` },
      },
    },
  }),
  // As of a Function URL, a load balancer, or the route $default.
  ...inBoth(wrongTrigger('pathParameters: invalid_type'), {
    'An event without path parameters is of a wrong trigger': parameters(undefined),
    'Path parameters that are null are of a wrong trigger': parameters(null),
  }),
  ...inBoth(wrongTrigger('pathParameters.spaceId: invalid_type, pathParameters.fileId: invalid_type'), {
    'The route {proxy+} is a wrong trigger': parameters({ proxy: `v1/spaces/${spaceId}/files/${fileId}` }),
  }),
  ...inBoth(wrongTrigger('pathParameters.spaceId: invalid_type'), {
    'A route without a space is a wrong trigger': parameters({ fileId }),
  }),
  ...inBoth(wrongTrigger('pathParameters.fileId: invalid_type'), {
    'A file id that is a number is of a wrong trigger': parameters({ spaceId, fileId: 7 }),
  }),
  ...in2(wrongTrigger('requestContext.http: invalid_type'), {
    'A context without HTTP is of a wrong trigger': { members: { requestContext: {} } },
  }),
  ...in2(wrongTrigger('requestContext.http.method: invalid_type'), {
    'No method is of a wrong trigger': http({}),
  }),
  ...in2(wrongTrigger('requestContext: invalid_type'), {
    'No context is of a wrong trigger': { members: { requestContext: null } },
  }),
  ...in1(wrongTrigger('httpMethod: invalid_type'), {
    'No method of a REST API is of a wrong trigger': { members: { httpMethod: null } },
  }),
  ...inBoth(wrongTrigger('headers: custom'), {
    'A header that is a number is of a wrong trigger': { members: { headers: { a: 'x', b: 7 } } },
    'A header that is a list is of a wrong trigger': { members: { headers: { a: ['x'] } } },
    'Headers that are a number are of a wrong trigger': { members: { headers: 7 } },
    'Headers that are a list are of a wrong trigger': { members: { headers: ['x'] } },
  }),
  ...in1(wrongTrigger('multiValueHeaders.a: invalid_type'), {
    'A text in place of a list of values is of a wrong trigger': {
      members: { multiValueHeaders: { a: 'x' } },
    },
  }),
  ...inBoth(wrongTrigger('body: invalid_type'), {
    'A body that is an object is of a wrong trigger': { members: { body: { summary: 'New.' } } },
  }),
  ...inBoth(wrongTrigger('isBase64Encoded: invalid_type'), {
    'A mark for base64 that is a text is of a wrong trigger': { members: { isBase64Encoded: 'false' } },
  }),
];

/** The headers of the usual request. */
const usual = {
  'content-type': 'application/json',
  'x-api-key': apiKeys.editor,
  'x-tenant-id': tenantId,
  'x-user-id': userId,
};
const lists = Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, [value]]));

const noIds: Expected = {
  ...rejected('user-id-missing'),
  log: { userId: undefined, tenantId: undefined, keyId: undefined },
};
const withoutGatewayId: Expected = { ...accepted, log: { gatewayRequestId: undefined } };

const parts: readonly Case[] = [
  ...in1(withoutGatewayId, {
    'A REST API may leave out the context': { members: { requestContext: null } },
  }),
  ...in1(accepted, {
    'Headers that are only in lists are read': { members: { headers: null } },
    'Headers that are not in lists are read': { members: { multiValueHeaders: null } },
    'Lists without a value are ignored': { members: { multiValueHeaders: { ...lists, a: null, b: [] } } },
    'A value in both forms of headers counts once': {
      members: { headers: { 'X-User-Id': userId }, multiValueHeaders: lists },
    },
  }),
  ...in1(rejected('user-id-invalid'), {
    'Different values in the two forms of headers are two values': {
      members: { headers: { ...usual, 'x-user-id': 'other' }, multiValueHeaders: lists },
    },
    'Two spellings in lists are one header sent twice': {
      members: { multiValueHeaders: { ...lists, 'X-User-Id': ['other'] } },
    },
  }),
  ...in2(withoutGatewayId, {
    'A gateway may give a request no id': http({ method: 'PATCH' }),
    'The id that a gateway gives may be null': {
      members: { requestContext: { requestId: null, http: { method: 'PATCH' } } },
    },
  }),
  ...inBoth(accepted, {
    'An event may leave out whether the body is in base64': { members: { isBase64Encoded: undefined } },
    'null means that the body is not in base64': { members: { isBase64Encoded: null } },
    'A header without a value is ignored': { members: { headers: { ...usual, 'if-match': null } } },
    'A header with a name that every object has is ignored': { headers: { constructor: 'a' } },
    'The function ignores a method in a header': { headers: { 'x-http-method-override': 'DELETE' } },
  }),
  ...inBoth(noIds, {
    'An event without headers has no user': { members: { headers: null, multiValueHeaders: null } },
  }),
  ...inBoth(rejected('body-missing'), {
    'An empty body is no body': { body: '' },
    'An event without a body has none': { members: { body: undefined } },
  }),
  ...inBoth(rejected('body-not-json', 'body is not base64'), {
    'JSON that is marked as base64 is not valid JSON': { members: { isBase64Encoded: true } },
    'Base64 with a line break is not valid JSON': { members: { body: 'e30=\n', isBase64Encoded: true } },
    'Base64 without its end is not valid JSON': { members: { body: 'e30', isBase64Encoded: true } },
  }),
  ...inBoth(rejected('body-not-json'), {
    'Base64 that is not marked is not valid JSON': { members: { body: 'eyJzdW1tYXJ5IjpudWxsfQ==' } },
  }),
];

const inJson = (text: string) => JSON.stringify(text);
const oddIds = [` ${userId}`, `${userId} `, 'a\r\nx-a: b', 'a\u007f', 'Zo\u00c3\u00ab', 'ζ', '\ud800'];
/** What \s and String.trim take for white space, and RFC 9110, 5.5 does not. */
const notSpaces = ['\u00a0', '\ufeff', '\v', '\f', '\n', '\u2028', '\u3000'];
/** Values that a space or a tab may surround, and what is before them. */
const trimmed = [
  ['idempotency-key', 'idempotency-key-invalid', '', 'a'],
  ['idempotency-key', 'idempotency-key-invalid', '', '"a"'],
  ['if-match', 'if-match-invalid', '', '*'],
  ['if-match', 'if-match-invalid', '', '"7"'],
  ['content-type', 'content-type-unsupported', '', 'application/json'],
  ['content-type', 'content-type-unsupported', 'application/json;charset=', 'utf-8'],
  ['content-encoding', 'content-encoding-unsupported', '', 'identity'],
] as const;

/** Not all triggers remove the white space around a value, and not all check its characters. */
const characters: readonly Case[] = [
  ...inBoth(accepted, {
    'Space and tab around a media type do not count': { headers: { 'content-type': ' application/json\t' } },
    'Space and tab around an encoding do not count': { headers: { 'content-encoding': '\tidentity ' } },
    'Space and tab around a star do not count': { headers: { 'if-match': '\t* ' } },
    'Space and tab around etags do not count': { headers: { 'if-match': ' "7"\t, {etag}\t' } },
  }),
  ...trimmed.flatMap(([header, code, start, value]) =>
    notSpaces.flatMap((character) =>
      inBoth(rejected(code), {
        [`${inJson(character)} before ${value} in ${header} is a part of it`]: {
          headers: { [header]: start + character + value },
        },
        [`${inJson(character)} after ${value} in ${header} is a part of it`]: {
          headers: { [header]: start + value + character },
        },
      }),
    ),
  ),
  ...(['user-id', 'tenant-id'] as const).flatMap((name) => [
    ...oddIds.flatMap((id) =>
      inBoth(rejected(`${name}-invalid`), {
        [`x-${name} ${inJson(id)} is rejected`]: { headers: { [`x-${name}`]: id } },
      }),
    ),
    ...inBoth(rejected(`${name}-missing`), {
      [`x-${name} of invisible characters is missing`]: {
        headers: { [`x-${name}`]: '\u00a0\u200b\u2003\ufeff' },
      },
    }),
  ]),
  ...inBoth(rejected('api-key-invalid', 'key is unknown'), {
    'A space before an API key is a part of it': { headers: { 'x-api-key': ` ${apiKeys.editor}` } },
    'A space after an API key is a part of it': { headers: { 'x-api-key': `${apiKeys.editor} ` } },
  }),
  ...inBoth(rejected('api-key-invalid', 'key is malformed'), {
    'An API key with a null character is rejected': { headers: { 'x-api-key': 'no\0such' } },
    'An API key with a delete character is rejected': { headers: { 'x-api-key': 'no\u007fsuch' } },
  }),
  ...inBoth(rejected('if-match-invalid'), {
    'A null character in an etag is malformed': { headers: { 'if-match': '"\0"' } },
    'A line break between etags is malformed': { headers: { 'if-match': '"0"\n"1"' } },
  }),
];

const noTable = (fileId: string): Expected => ({
  ...rejected('file-not-found', 'file id is one that no table could hold'),
  log: { fileId },
});
const noSpace = (id: string): Expected => ({ ...rejected('space-not-found'), log: { spaceId: id } });
const ids: readonly Case[] = [
  // What a path becomes on its way to the function depends on the API: deploymentCases in all.ts.
  ...inBoth(rejected('space-not-found'), {
    'The function does not decode a space id twice': { space: encodeTwice(spaceId) },
  }),
  ...inBoth(rejected('file-not-found'), { 'A file id may have a slash': { file: 'no%2Fsuch%2Ffile' } }),
  ...Object.entries({ 'a b': 'a%20b', 'a/b': 'a%2Fb', 'a%2Fb': 'a%252Fb', 'a+b': 'a+b' }).map(([id, file]) =>
    aCase(`The id ${id} is sent as ${file}`, [[{ file }, updated('Must not be stored.', 'guide')]], {
      only: 'event',
      stored: aBasicFile({ fileId: id }),
    }),
  ),
  // A REST API passes on the ids as they were sent. An HTTP API rejects such a path itself.
  ...['%zz', '%ff', '%ed%a0%80'].flatMap((id) =>
    in1(noTable(''), {
      [`The id ${id}, which cannot be decoded, leads to no file`]: parameters({ spaceId, fileId: id }),
    }),
  ),
  ...['', '\ud800'].flatMap((id) =>
    in2(noTable(id), { [`The file id ${inJson(id)} leads to no file`]: parameters({ spaceId, fileId: id }) }),
  ),
  ...['', '\ud800', '..', '__proto__', `${tenantId}#${spaceId}`].flatMap((id) =>
    in2(noSpace(id), {
      [`The space id ${inJson(id)} leads to no space`]: parameters({ spaceId: id, fileId }),
    }),
  ),
  ...in2(noSpace('é'.repeat(256)), {
    'A space id of 1200 bytes in 600 letters leads to no space': parameters({
      spaceId: 'é'.repeat(600),
      fileId,
    }),
  }),
];

export const event: readonly Case[] = [...triggers, ...parts, ...characters, ...ids];
