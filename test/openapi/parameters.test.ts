import { describe, expect, test } from 'vitest';
import { readIfMatch } from '#lib/http/request-headers.ts';
import { readCallerIds } from '#lib/http/request-headers.ts';
import { limits } from '#local/openapi/limits.ts';
import { takes } from '#local/openapi/measure-limit.ts';
import { components } from './support/document.ts';
import { problemsOf } from './support/validate.ts';

const fits = (parameter: string, value: string) =>
  problemsOf(components.parameters[parameter]?.schema ?? { not: {} }, value).length === 0;

test('the limits are those of docs/contract.md', () => {
  expect(limits).toEqual({
    summary: 10_000,
    documentKind: 256,
    id: 128,
    apiKey: 512,
    contentType: 256,
    etags: 100,
    body: 131_072,
  });
});

describe('an id fits the document when the service takes it', () => {
  const isId = (value: string) =>
    takes(() =>
      readCallerIds(
        new Map([
          ['x-user-id', value],
          ['x-tenant-id', value],
        ]),
      ),
    );
  const ids = ['grace', 'a/b|c', '0', 'é👋', 'x'.repeat(128), '👋'.repeat(128)];
  const none = [
    '',
    ' ',
    'a b',
    'a,b',
    'a\tb',
    'a\u0000',
    'a\u0085',
    '\u00a0',
    'x'.repeat(129),
    '👋'.repeat(129),
  ];

  test.each([...ids, ...none])('%j', (value) => {
    expect(isId(value)).toBe(ids.includes(value));
    for (const name of ['UserId', 'TenantId']) expect(fits(name, value)).toBe(ids.includes(value));
  });
});

describe('If-Match fits the document when the service can read it', () => {
  const readable = ['*', ' * ', '"0"', 'W/"1"', '"a!b"', '"1", "2"', ',"1",, "2" ,', '"é"', '""'];
  const unreadable = ['', ' ', ',', '0', '"0', '"a b"', '*, "1"', '"1" "2"', 'w/"1"', '"1",x', '"👋"'];

  test.each([...readable, ...unreadable])('%j', (value) => {
    expect(readIfMatch(new Map([['if-match', value]])).kind !== 'unreadable').toBe(readable.includes(value));
    expect(fits('IfMatch', value)).toBe(readable.includes(value));
  });
});

test.each(Object.entries(components.parameters))('the example of %s fits', (_, { schema, example }) => {
  expect(problemsOf(schema, example)).toEqual([]);
});
