import { expect, test } from 'vitest';
import { readIfMatch } from '#lib/http/request-headers.ts';

// DynamoDB would reject a condition with any other value.
test.each([
  ['"7", "8"', [7, 8]],
  ['"0"', [0]],
  ['W/"7"', []],
  ['"07"', []],
  ['"a"', []],
  ['"9007199254740993"', []],
])('of If-Match %s, only versions of this service are compared', (header, versions) => {
  expect(readIfMatch(new Map([['if-match', header]]))).toEqual(versions);
});
