import { describe, expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { readApiKey, readCallerIds, readIfMatch } from '#lib/http/request-headers.ts';

const ids = (overrides: Record<string, string>) =>
  new Map(Object.entries({ 'x-user-id': 'grace', 'x-tenant-id': 'acme', ...overrides }));

describe('readCallerIds', () => {
  test.each(['a', 'Ada.L@example', '😀'.repeat(128)])('reads %.20j as it is', (id) => {
    expect(readCallerIds(ids({ 'x-user-id': id, 'x-tenant-id': id }))).toEqual({ userId: id, tenantId: id });
  });

  describe.each(['user-id', 'tenant-id'] as const)('%s', (name) => {
    test.each(['', '   ', ' \t\u00a0\u200b'])('%j is missing', (value) => {
      expect(() => readCallerIds(ids({ [`x-${name}`]: value }))).toThrow(
        new ApiError(`${name}-missing`, { reason: 'header is missing or blank' }),
      );
    });

    test.each([
      ...['grace,ada', 'grace ', ' grace', 'gra ce', 'grace\r\nx-tenant-id: globex', 'grace\u0000'],
      ...['gra\u200bce', '\ud800', 'a'.repeat(129), '😀'.repeat(129)],
    ])('%.20j is invalid', (value) => {
      expect(() => readCallerIds(ids({ [`x-${name}`]: value }))).toThrow(
        new ApiError(`${name}-invalid`, { reason: 'header is malformed' }),
      );
    });
  });
});

describe('readApiKey', () => {
  const read = (key?: string) => readApiKey(new Map(key === undefined ? [] : [['x-api-key', key]]));

  test.each(['k', '!~ +-', 'k'.repeat(512)])('reads %.20j as it is', (key) => {
    expect(read(key)).toBe(key);
  });

  test.each([
    [undefined, 'key is missing'],
    ['', 'key is missing'],
    ['k'.repeat(513), 'key is malformed'],
    ['schlüssel', 'key is malformed'],
    ['a,b', 'key is malformed'],
    ['a\tb', 'key is malformed'],
  ])('rejects %.20j: %s', (key, reason) => {
    expect(() => read(key)).toThrow(new ApiError('api-key-invalid', { reason }));
  });
});

describe('readIfMatch', () => {
  const read = (value?: string) => readIfMatch(new Map(value === undefined ? [] : [['if-match', value]]));

  test.each([undefined, '*', ' * '])('%j requires nothing', (value) => {
    expect(read(value)).toEqual({ kind: 'none' });
  });

  test.each([
    ['"5"', [5]],
    [' "5" ', [5]],
    ['"5", ,', [5]],
    ['"4","5" , "5"', [4, 5]],
    ['"0"', [0]],
    [`${'"a",'.repeat(99)}"5"`, [5]],
    ['W/"1" ,, "5",', [5]],
    ['"other"', []],
    ['W/"5"', []],
    ['"05"', []],
    ['"4,5"', []],
    ['""', []],
    ['"9007199254740993"', []],
    ['"99999999999999999"', []],
  ])('%.20s requires one of the versions %j', (value, versions) => {
    expect(read(value)).toEqual({ kind: 'versions', versions });
  });

  test.each([
    '0',
    '',
    ' ',
    ',',
    '"0',
    '*, "0"',
    '"0" "1"',
    'w/"0"',
    '"\u0000"',
    Array(101).fill('"0"').join(),
  ])('%.20j is unreadable', (value) => {
    expect(read(value)).toEqual({ kind: 'unreadable' });
  });
});
