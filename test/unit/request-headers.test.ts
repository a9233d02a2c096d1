import { expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { readEvent } from '#lib/http/event.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import { readCallerIds, readIdempotencyKey, readIfMatch } from '#lib/http/request-headers.ts';
import { anEvent } from '#test/support/event.ts';

const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, at) => at + 0x21)).replace(',', '');
test.each([[printable], ['u'.repeat(128)]])('%s can be the id of a user and of a tenant', (id) => {
  const headers = new Map([
    ['x-user-id', id],
    ['x-tenant-id', id],
  ]);
  expect(readCallerIds(headers)).toEqual({ userId: id, tenantId: id });
});

// fetch sends ë as one byte and curl as two: one id would become two.
test.each([
  [undefined, 'missing'],
  ['', 'missing'],
  [' \t', 'missing'],
  ['\u00a0\u200b', 'missing'],
  ['u'.repeat(129), 'invalid'],
  ['a b', 'invalid'],
  ['a,b', 'invalid'],
  ['a\u007f', 'invalid'],
  ['Zoë', 'invalid'],
  ['Zo\u00c3\u00ab', 'invalid'],
  ['ζ', 'invalid'],
  ['👋', 'invalid'],
  ['\ud800', 'invalid'],
])('the id %j of a user or a tenant is %s', (id, problem) => {
  const read = (...ids: readonly (string | undefined)[]) => {
    const names = ['x-user-id', 'x-tenant-id'];
    readCallerIds(new Map(names.flatMap((name, at) => (ids[at] === undefined ? [] : [[name, ids[at]]]))));
  };
  expect(() => read(id, 'acme')).toThrow(expect.objectContaining({ code: `user-id-${problem}` }));
  expect(() => read('grace', id)).toThrow(expect.objectContaining({ code: `tenant-id-${problem}` }));
});

const readPatch = (headers: Record<string, string>) => readFilePatch(readEvent(anEvent({ headers })));

// Not all triggers remove the white space around a value (RFC 9110, 5.5).
test.each([' a b\t', ' "a b" '])('white space around the idempotency key %j does not count', (value) => {
  expect(readIdempotencyKey(new Map([['idempotency-key', value]]))).toBe('a b');
});
test('space and tab around the other headers do not count', () => {
  expect(readIfMatch(new Map([['if-match', '\t* ']]))).toBeUndefined();
  expect(readIfMatch(new Map([['if-match', ' "7"\t']]))).toEqual([7]);
  const headers = {
    'content-type': ' application/json\t;charset=\tutf-8 ',
    'content-encoding': '\tidentity ',
  };
  expect(readPatch(headers)).toEqual({ summary: 'New.' });
});

/** What \s and String.trim take for white space, and RFC 9110 does not. */
const notSpaces = ['\u00a0', '\ufeff', '\v', '\f', '\n', '\u2028', '\u3000'];
test.each(notSpaces)('%j around a value is a part of it', (character) => {
  const codeOf = (read: (around: (value: string) => string) => unknown) =>
    [`${character}%`, `%${character}`].map((form) => {
      try {
        return read((value) => form.replace('%', value));
      } catch (error) {
        return error instanceof ApiError ? error.code : error;
      }
    });
  const results = {
    key: codeOf((around) => readIdempotencyKey(new Map([['idempotency-key', around('a')]]))),
    quotedKey: codeOf((around) => readIdempotencyKey(new Map([['idempotency-key', around('"a"')]]))),
    anyEtag: codeOf((around) => readIfMatch(new Map([['if-match', around('*')]]))),
    etag: codeOf((around) => readIfMatch(new Map([['if-match', around('"7"')]]))),
    mediaType: codeOf((around) => readPatch({ 'content-type': around('application/json') })),
    charset: codeOf((around) => readPatch({ 'content-type': `application/json;charset=${around('utf-8')}` })),
    encoding: codeOf((around) => readPatch({ 'content-encoding': around('identity') })),
  };
  const both = (code: string) => [code, code];
  expect(results).toEqual({
    key: both('idempotency-key-invalid'),
    quotedKey: both('idempotency-key-invalid'),
    anyEtag: both('if-match-invalid'),
    etag: both('if-match-invalid'),
    mediaType: both('content-type-unsupported'),
    charset: both('content-type-unsupported'),
    encoding: both('content-encoding-unsupported'),
  });
});

test('a Content-Type of 256 characters is read, and a longer one is not', () => {
  const read = (length: number) => readPatch({ 'content-type': 'application/json;a='.padEnd(length, 'x') });
  expect(read(256)).toStrictEqual({ summary: 'New.' });
  expect(() => read(257)).toThrow(ApiError);
});
