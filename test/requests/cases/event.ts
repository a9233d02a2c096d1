import { readFileSync } from 'node:fs';
import { aBasicFile, aFile, brokenFile, largeFile, preciseFile, replayedFile } from '#test/support/given.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import {
  accepted,
  type Case,
  cases,
  type Expected,
  invalid,
  many,
  rejected,
  replayed,
  type Sent,
  type Stored,
  updated,
  usualBody,
} from './case.ts';
import { fixture } from './fixture.ts';

/* Cases that no URL can lead to: events of other triggers, forms of an event, and records that no deployment has. */

const { files, spaces, apiKeys, tenantId, userId } = fixture;
const asEvent = { only: 'event' } as const;
const inFormat1 = { only: '1.0' } as const;
const inFormat2 = { only: '2.0' } as const;

const wrongTrigger = (problem: string) =>
  rejected('internal-error', `wrong trigger: event does not fit: ${problem}`);
const ids = 'pathParameters.spaceId: invalid_type, pathParameters.fileId: invalid_type';
const proxy = { proxy: `v1/spaces/${spaces.public}/files/${files.detailed.id}` };
const [spaceId, fileId] = [spaces.public, files.detailed.id];
const noRoute = 'pathParameters: invalid_type, httpMethod: invalid_value';

const triggers: readonly Case[] = [
  ...cases(
    wrongTrigger('record: invalid_type'),
    {
      'null is of a wrong trigger': { event: null },
      'A text is of a wrong trigger': { event: 'PATCH' },
      'A list is of a wrong trigger': { event: [] },
    },
    inFormat2,
  ),
  ...cases(
    wrongTrigger(noRoute),
    {
      'A ping is of a wrong trigger': { event: {} },
      'A queue is a wrong trigger': { event: { Records: [{ body: usualBody }] } },
      'Inherited members do not make an event': {
        event: JSON.parse('{"__proto__":{"version":"2.0"},"constructor":{"prototype":{"body":1}}}'),
      },
    },
    inFormat2,
  ),
  ...cases(
    wrongTrigger('version: invalid_value, httpMethod: invalid_value'),
    { 'Format 3.0 is a wrong trigger': { members: { version: '3.0' } } },
    inFormat2,
  ),
  ...cases(
    wrongTrigger('pathParameters: invalid_type'),
    {
      'A Function URL, a load balancer and a route without parameters are wrong triggers': {
        members: { pathParameters: undefined },
      },
    },
    asEvent,
  ),
  ...cases(
    wrongTrigger(ids),
    { 'The route {proxy+} is a wrong trigger': { members: { pathParameters: proxy } } },
    asEvent,
  ),
  ...cases(
    wrongTrigger('pathParameters.spaceId: invalid_type'),
    { 'A route without a space is a wrong trigger': { members: { pathParameters: { fileId } } } },
    asEvent,
  ),
  ...cases(
    wrongTrigger('pathParameters.fileId: invalid_type'),
    {
      'A file id that is a number is of a wrong trigger': {
        members: { pathParameters: { spaceId, fileId: 7 } },
      },
    },
    asEvent,
  ),
  ...cases(
    wrongTrigger('requestContext.http.method: invalid_value'),
    {
      'Another method is a wrong trigger': { members: { requestContext: { http: { method: 'GET' } } } },
      'No method is a wrong trigger': { members: { requestContext: { http: {} } } },
    },
    inFormat2,
  ),
  ...cases(
    wrongTrigger('requestContext: invalid_type'),
    { 'No context is a wrong trigger': { members: { requestContext: null } } },
    inFormat2,
  ),
  ...cases(
    wrongTrigger('httpMethod: invalid_value'),
    {
      'Another method of a REST API is a wrong trigger': { members: { httpMethod: 'PUT' } },
      'A method in small letters is a wrong trigger': { members: { httpMethod: 'patch' } },
    },
    inFormat1,
  ),
  ...cases(
    wrongTrigger('headers: custom'),
    {
      'A header that is a number is of a wrong trigger': { members: { headers: { a: 'x', b: 7 } } },
      'A header that is a list is of a wrong trigger': { members: { headers: { a: ['x'] } } },
      'Headers that are a number are of a wrong trigger': { members: { headers: 7 } },
      'Headers that are a list are of a wrong trigger': { members: { headers: ['x'] } },
    },
    asEvent,
  ),
  ...cases(
    wrongTrigger('multiValueHeaders.a: invalid_type'),
    {
      'A list of headers that is a text is of a wrong trigger': {
        members: { multiValueHeaders: { a: 'x' } },
      },
    },
    inFormat1,
  ),
  ...cases(
    wrongTrigger('body: invalid_type'),
    { 'A body that is an object is of a wrong trigger': { members: { body: { summary: 'New.' } } } },
    asEvent,
  ),
  ...cases(
    wrongTrigger('isBase64Encoded: invalid_type'),
    { 'A mark for base64 that is a text is of a wrong trigger': { members: { isBase64Encoded: 'false' } } },
    asEvent,
  ),
];

/** The headers of the usual request. */
const usual = {
  'content-type': 'application/json',
  'x-api-key': apiKeys.editor,
  'x-tenant-id': tenantId,
  'x-user-id': userId,
};
const lists = Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, [value]]));

const parts: readonly Case[] = [
  ...cases(
    accepted,
    {
      'A REST API may name its format': { members: { version: '1.0' } },
      'Headers that are only in lists are read': { members: { headers: null } },
      'Headers that are not in lists are read': { members: { multiValueHeaders: null } },
      'A REST API may leave out the context': { members: { requestContext: null } },
    },
    inFormat1,
  ),
  ...cases(
    accepted,
    {
      'An event may leave out whether the body is in base64': { members: { isBase64Encoded: undefined } },
      'null says that the body is not in base64': { members: { isBase64Encoded: null } },
      'Headers without a value are ignored': { members: { headers: { ...usual, a: null } } },
      'Headers with names that every object has are ignored': {
        headers: { constructor: 'a', tostring: 'b', 'x-proto': 'c' },
      },
    },
    asEvent,
  ),
  ...cases(
    accepted,
    {
      'Lists without a value are ignored': {
        members: { multiValueHeaders: { ...lists, a: null, b: [] } },
      },
      'A value in both forms of headers counts once': {
        members: { headers: { 'X-User-Id': userId }, multiValueHeaders: lists },
      },
    },
    inFormat1,
  ),
  ...cases(
    rejected('user-id-missing'),
    {
      'An event without headers has no user': { members: { headers: null, multiValueHeaders: null } },
    },
    asEvent,
  ),
  ...cases(
    rejected('user-id-invalid'),
    {
      'Other values in the two forms of headers are two values': {
        members: { headers: { ...usual, 'x-user-id': 'other' }, multiValueHeaders: lists },
      },
      'Two spellings in lists are one header sent twice': {
        members: { multiValueHeaders: { ...lists, 'X-User-Id': ['other'] } },
      },
    },
    inFormat1,
  ),
  ...cases(
    rejected('body-missing'),
    {
      'An empty body is no body': { body: '' },
      'An event without a body has none': { members: { body: undefined } },
    },
    asEvent,
  ),
  ...cases(
    accepted,
    {
      'A good event needs nothing but the route and the headers': {
        members: { requestContext: { http: { method: 'PATCH' } } },
      },
    },
    inFormat2,
  ),
  ...cases(
    rejected('body-not-json', 'body is not base64'),
    {
      'JSON that is marked as base64 is not valid JSON': { members: { isBase64Encoded: true } },
      'Base64 with a line break is not valid JSON': { members: { body: 'e30=\n', isBase64Encoded: true } },
      'Base64 without its end is not valid JSON': { members: { body: 'e30', isBase64Encoded: true } },
    },
    asEvent,
  ),
  ...cases(
    rejected('body-not-json'),
    { 'Base64 that is not marked is not valid JSON': { members: { body: 'eyJzdW1tYXJ5IjpudWxsfQ==' } } },
    asEvent,
  ),
];

const inJson = (character: string) => JSON.stringify(character);
const oddIds = [` ${userId}`, `${userId} `, 'a\r\nx-a: b', 'a\u007f', 'Zo\u00c3\u00ab', 'ζ', '\ud800'];
/** What \s and String.trim take for white space, and RFC 9110, 5.5 does not. */
const notSpaces = ['\u00a0', '\ufeff', '\v', '\f', '\n', '\u2028', '\u3000'];
/** Values that a space or a tab may surround. */
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
  ...cases(
    accepted,
    {
      'Space and tab around a media type do not count': {
        headers: { 'content-type': ' application/json\t' },
      },
      'Space and tab around an encoding do not count': { headers: { 'content-encoding': '\tidentity ' } },
      'Space and tab around a star do not count': { headers: { 'if-match': '\t* ' } },
      'Space and tab around etags do not count': { headers: { 'if-match': ' "7"\t, {etag}\t' } },
    },
    asEvent,
  ),
  ...trimmed.flatMap(([header, code, start, value]) =>
    notSpaces.flatMap((character) =>
      cases(
        rejected(code),
        {
          [`${inJson(character)} before ${value} in ${header} is a part of it`]: {
            headers: { [header]: start + character + value },
          },
          [`${inJson(character)} after ${value} in ${header} is a part of it`]: {
            headers: { [header]: start + value + character },
          },
        },
        asEvent,
      ),
    ),
  ),
  ...(['user-id', 'tenant-id'] as const).flatMap((name) => [
    ...cases(
      rejected(`${name}-invalid`),
      Object.fromEntries(
        oddIds.map((id) => [`x-${name} ${inJson(id)} is rejected`, { headers: { [`x-${name}`]: id } }]),
      ),
      asEvent,
    ),
    ...cases(
      rejected(`${name}-missing`),
      {
        [`x-${name} of invisible characters is missing`]: {
          headers: { [`x-${name}`]: '\u00a0\u200b\u2003\ufeff' },
        },
      },
      asEvent,
    ),
  ]),
  ...cases(
    rejected('api-key-invalid', 'key is unknown'),
    {
      'A space before an API key is a part of it': { headers: { 'x-api-key': ` ${apiKeys.editor}` } },
      'A space after an API key is a part of it': { headers: { 'x-api-key': `${apiKeys.editor} ` } },
    },
    asEvent,
  ),
  ...cases(
    rejected('api-key-invalid', 'key is malformed'),
    {
      'An API key with a null character is rejected': { headers: { 'x-api-key': 'no\0such' } },
      'An API key with a delete character is rejected': { headers: { 'x-api-key': 'no\u007fsuch' } },
    },
    asEvent,
  ),
  ...cases(
    rejected('if-match-invalid'),
    {
      'A null character in an etag is malformed': { headers: { 'if-match': '"\0"' } },
      'A line break between etags is malformed': { headers: { 'if-match': '"0"\n"1"' } },
    },
    asEvent,
  ),
];

const summary = 'Must not be stored.';
const idOf = (id: string): Stored => aBasicFile({ fileId: id });
const decoded: readonly Case[] = [
  ...Object.entries({ 'a b': 'a%20b', 'a/b': 'a%2Fb', 'a%2Fb': 'a%252Fb', 'a+b': 'a+b' }).map(([id, file]) =>
    many(`The id ${id} is sent as ${file}`, [[{ file }, updated(summary, 'guide')]], {
      ...asEvent,
      stored: idOf(id),
    }),
  ),
  // A REST API passes on the ids as they were sent. An HTTP API rejects such a path itself.
  ...['%zz', '%ff', '%ed%a0%80'].flatMap((file) =>
    cases(
      rejected('file-not-found', 'file id is one that no table could hold'),
      { [`The id ${file}, which cannot be decoded, leads to no file`]: { file } },
      inFormat1,
    ),
  ),
  ...cases(
    rejected('file-not-found', 'file id is one that no table could hold'),
    {
      'An empty file id leads to no file': { members: { pathParameters: { spaceId, fileId: '' } } },
      'A file id of a surrogate leads to no file': {
        members: { pathParameters: { spaceId, fileId: '\ud800' } },
      },
    },
    inFormat2,
  ),
  ...cases(
    rejected('space-not-found'),
    {
      'An empty space id leads to no space': { members: { pathParameters: { spaceId: '', fileId } } },
      'A space id of a surrogate leads to no space': {
        members: { pathParameters: { spaceId: '\ud800', fileId } },
      },
      'A space id with the tenant leads to no space': {
        members: { pathParameters: { spaceId: `${tenantId}#${spaceId}`, fileId } },
      },
    },
    inFormat2,
  ),
];

const withKey: Sent = {
  body: '{"summary":"What to do in the first week."}',
  headers: { 'x-user-id': 'grace', 'idempotency-key': 'key-1' },
};
const remembered = { ...asEvent, stored: replayedFile };
const records: readonly Case[] = [
  many(
    'A file that was never updated has the etag "0"',
    [[{ headers: { 'if-match': '"0"' } }, updated(summary, 'guide')]],
    {
      ...asEvent,
      stored: aFile({ fileId: 'never-updated' }),
    },
  ),
  many(
    'A file without a summary and tags is a file',
    [[{ body: '{"documentKind":"a"}' }, updated(null, 'a')]],
    {
      ...asEvent,
      stored: { spaceId, fileId: 'bare', language: 'en', domain: 'hr' },
    },
  ),
  // The SDK rejects such a number, unless it is told otherwise.
  many(
    'A number with more digits than JavaScript keeps does no harm',
    [[{ headers: { 'if-match': '"1"' } }, rejected('file-changed')]],
    {
      ...asEvent,
      stored: preciseFile,
    },
  ),
  many(
    'A file that would exceed 400 KB is not updated',
    [[{ body: `{"summary":"${'a'.repeat(10_000)}"}` }, rejected('file-too-large')]],
    {
      ...asEvent,
      stored: largeFile,
    },
  ),
  many(
    'A version that none can follow gets 500',
    [[{}, rejected('internal-error', 'file record does not fit: version: too_big')]],
    {
      ...asEvent,
      stored: aFile({ fileId: 'last-version', version: Number.MAX_SAFE_INTEGER }),
    },
  ),
  // The write names only what was sent, so it is applied. But the record is no file.
  many(
    'A damaged file gets 500 after the write',
    [
      [
        {},
        {
          ...rejected('internal-error', 'file record does not fit: language: invalid_type'),
          written: { summary },
        },
      ],
    ],
    {
      ...asEvent,
      stored: brokenFile,
    },
  ),
  many(
    'A request without time gets 503',
    [[{ remainingMs: 400 }, rejected('unavailable', 'deadline passed')]],
    asEvent,
  ),
  // A key is remembered by its hash: these are those of the user grace with this key, and of this patch.
  many(
    'A file remembers the hashes of a key and of a patch',
    [[withKey, { ...updated('What to do in the first week.', 'before'), mark: 'XfjB9HHJr1p\\.u6Jd4TalAJu' }]],
    asEvent,
  ),
  many(
    'A request that the file remembers is replayed',
    [[withKey, replayed('What to do in the first week.', 'guide')]],
    remembered,
  ),
  many(
    'A key that the file remembers is for one patch',
    [
      [{ ...withKey, body: '{"summary":"Another."}' }, rejected('idempotency-key-reused')],
      [
        { headers: { ...withKey.headers, 'if-match': '"1"' }, body: '{"summary":"Another."}' },
        rejected('idempotency-key-reused'),
      ],
    ],
    remembered,
  ),
];

/** The events of events/, on the demo data as `npm start` stores it: the file that each is about, and what it gets. */
const [onboarding, , roadmap, , lastVersion] = demo.files;
const week = 'What to do in the first week.';
const byHand: Readonly<Record<string, Expected>> = {
  'api-key-unknown': rejected('api-key-invalid', 'key is unknown'),
  'body-not-json': rejected('body-not-json'),
  cleared: updated(null, 'guide'),
  'field-not-editable': invalid('Field "language" is not editable'),
  'file-not-found': rejected('file-not-found'),
  'file-not-found-rest': rejected('file-not-found'),
  'internal-error': rejected('internal-error', 'file record does not fit: version: too_big'),
  'patch-empty': rejected('patch-empty'),
  'permission-viewer': rejected('permission-denied', 'no role of the key grants files:update'),
  'set-and-cleared': updated(week, null),
  'space-not-found': rejected('space-not-found'),
  updated: updated(week, 'checklist'),
  'updated-idempotency-key': { ...updated(week, 'guide'), mark: 'XfjB9HHJr1p\\.u6Jd4TalAJu' },
  'updated-if-match': updated(null, 'plan'),
  'updated-rest': updated(week, 'checklist'),
  'user-id-missing': rejected('user-id-missing'),
};
const about: Readonly<Record<string, Stored | undefined>> = {
  'updated-if-match': roadmap,
  'internal-error': lastVersion,
};
const events = Object.entries(byHand).map(([name, expected]) => {
  const path = `events/${name}.json`;
  const event: unknown = JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
  const stored = about[name] ?? onboarding ?? {};
  return many(path, [[{ event }, expected]], { only: name.endsWith('-rest') ? '1.0' : '2.0', stored });
});

export const event: readonly Case[] = [
  ...triggers,
  ...parts,
  ...characters,
  ...decoded,
  ...records,
  ...events,
];
