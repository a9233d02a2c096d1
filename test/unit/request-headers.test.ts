import { expect, test } from 'vitest';
import { readIfMatch } from '#lib/http/request-headers.ts';

// DynamoDB would reject a condition with any other value.
test.each([
  ['"7", "8"', [7, 8]],
  ['"0"', [0]],
  ['W/"7"', []],
  ['"07"', []],
  ['"7-gzip", "8-br", "9--gzip", "10;gzip", "11;deflate", "0-zstd"', [7, 8, 9, 10, 11, 0]],
  ['W/"7-gzip"', []],
  ['"7-GZIP"', []],
  ['"7gzip"', []],
  ['"7---gzip"', []],
  ['"7;;gzip"', []],
  ['"7-gzip-gzip"', []],
  ['"7-g"', []],
  ['"-gzip"', []],
  ['"a"', []],
  ['"9007199254740993"', []],
])('of If-Match %s, only versions of this service are compared', (header, versions) => {
  expect(readIfMatch(new Map([['if-match', header]]))).toEqual(versions);
});
