import { expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { readApiKey, readCallerIds, readIfMatch } from '#lib/http/request-headers.ts';

const ids = (header: string, value: string) =>
  new Map([
    ['x-user-id', 'grace'],
    ['x-tenant-id', 'acme'],
    [header, value],
  ] as const);

test.each(['a', 'Ada.L@example', '😀'.repeat(128)])('ids are read as they are: %.20j', (userId) => {
  expect(readCallerIds(ids('x-user-id', userId))).toEqual({ userId, tenantId: 'acme' });
});

const blank = ['', '   ', ' \t\u00a0\u200b'].map(
  (value) => [value, 'missing', 'header is missing or blank'] as const,
);
const malformed = [
  ...['grace,ada', 'grace ', ' grace', 'gra ce', 'grace\r\nx-tenant-id: globex', 'grace\u0000'],
  ...['gra\u200bce', '\ud800', 'a'.repeat(129), '😀'.repeat(129)],
].map((value) => [value, 'invalid', 'header is malformed'] as const);
test.each([...blank, ...malformed])('id %.20j is %s', (value, problem, reason) => {
  for (const name of ['user-id', 'tenant-id'] as const)
    expect(() => readCallerIds(ids(`x-${name}`, value))).toThrow(
      new ApiError(`${name}-${problem}`, { reason }),
    );
});

test.each(['k', '!~ +-', 'k'.repeat(512)])('an API key is read as it is: %.20j', (key) => {
  expect(readApiKey(new Map([['x-api-key', key]]))).toBe(key);
});

test.each([
  ['', 'key is missing'],
  ...['k'.repeat(513), 'schlüssel', 'a,b', 'a\tb'].map((key) => [key, 'key is malformed']),
])('API key %.20j is rejected: %s', (key, reason) => {
  expect(() => readApiKey(new Map([['x-api-key', key]]))).toThrow(
    new ApiError('api-key-invalid', { reason }),
  );
});

const readEtags = (value?: string) => readIfMatch(new Map(value === undefined ? [] : [['if-match', value]]));

test.each([undefined, '*', ' * '])('If-Match %j requires nothing', (value) => {
  expect(readEtags(value)).toEqual({ kind: 'none' });
});

test.each([
  ...['"5"', ' "5" ', '"5", ,', 'W/"1" ,, "5",', `${'"a",'.repeat(99)}"5"`].map(
    (list) => [list, [5]] as const,
  ),
  ['"4","5" , "5"', [4, 5]],
  ['"0"', [0]],
  ...['"x"', 'W/"5"', '"05"', '"4,5"', '""', '"9007199254740993"', '"99999999999999999"'].map(
    (list) => [list, []] as const,
  ),
] as const)('If-Match %.20s requires one of the versions %j', (value, versions) => {
  expect(readEtags(value)).toEqual({ kind: 'versions', versions });
});

test.each([
  ...['0', '', ' ', ',', '"0', '*, "0"', '"0" "1"', 'w/"0"', '"\u0000"', `${'"0",'.repeat(100)}"0"`],
])('If-Match %.20j is unreadable', (value) => {
  expect(readEtags(value)).toEqual({ kind: 'unreadable' });
});
