import { expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { openRequest } from '#lib/http/event.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import { readIdempotencyKey, readIfMatch } from '#lib/http/request-headers.ts';
import { createEnvironment } from '#test/support/environment.ts';
import { aContext, anEvent } from '#test/support/event.ts';

test.each([
  ['a b', 'a b'],
  [' a ', 'a'],
  ['"a"', 'a'],
  ['"a b~"', 'a b~'],
  ['"a\\"b\\\\c"', 'a"b\\c'],
  ['a\\"', 'a\\"'],
])('the Idempotency-Key %s is the key %s', (header, key) => {
  expect(readIdempotencyKey(new Map([['idempotency-key', header]]))).toBe(key);
});

const versions = (...list: number[]) => ({ kind: 'versions', versions: list });
test.each([
  ['*', { kind: 'none' }],
  ['"0"', versions(0)],
  ['"1234"', versions(1234)],
  ['"1", "1" ,,"2",,', versions(1, 2)],
  ['W/"1", "01", "1a", "9999999999999999"', versions()],
  ['"1" "2"', { kind: 'unreadable' }],
  ['"1", "é"', { kind: 'unreadable' }],
])('If-Match: %s', (header, precondition) => {
  expect(readIfMatch(new Map([['if-match', header]]))).toStrictEqual(precondition);
});

test('a Content-Type of 256 characters is read, and a longer one is not', () => {
  const read = (length: number) => {
    const headers = { 'content-type': 'application/json;a='.padEnd(length, 'x') };
    return readFilePatch(openRequest(anEvent({ headers }), aContext(), createEnvironment()));
  };
  expect(read(256)).toStrictEqual({ summary: 'New.' });
  expect(() => read(257)).toThrow(ApiError);
});
