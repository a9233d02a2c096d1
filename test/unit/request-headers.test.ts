import { expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { openRequest } from '#lib/http/event.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import { readCallerIds, readIdempotencyKey } from '#lib/http/request-headers.ts';
import { createEnvironment } from '#test/support/environment.ts';
import { aContext, anEvent } from '#test/support/event.ts';

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

// Not all triggers remove the white space around a value (RFC 9110, 5.5).
test.each([' a b\t', ' "a b" '])('white space around the idempotency key %j does not count', (value) => {
  expect(readIdempotencyKey(new Map([['idempotency-key', value]]))).toBe('a b');
});

test('a Content-Type of 256 characters is read, and a longer one is not', () => {
  const read = (length: number) => {
    const headers = { 'content-type': 'application/json;a='.padEnd(length, 'x') };
    return readFilePatch(openRequest(anEvent({ headers }), aContext(), createEnvironment()));
  };
  expect(read(256)).toStrictEqual({ summary: 'New.' });
  expect(() => read(257)).toThrow(ApiError);
});
