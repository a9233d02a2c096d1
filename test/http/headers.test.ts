import { expect, test } from 'vitest';
import { readHeaders } from '#lib/http/event.ts';

test.each([
  ['one letter case', { 'X-User-ID': 'a' }, {}, { 'x-user-id': 'a' }],
  ['two spellings', { 'X-User-Id': 'a', 'x-user-id': 'b' }, {}, { 'x-user-id': 'a,b' }],
  ['all values', { 'X-User-Id': 'b' }, { 'X-User-Id': ['a', 'b'] }, { 'x-user-id': 'a,b' }],
  ['the same value in both forms', { 'X-User-Id': 'a' }, { 'x-user-id': ['a'] }, { 'x-user-id': 'a' }],
  ['two values in the two forms', { 'x-user-id': 'b' }, { 'X-User-Id': ['a'] }, { 'x-user-id': 'a,b' }],
  ['the same value twice', { 'x-user-id': 'a', 'X-USER-ID': 'a' }, {}, { 'x-user-id': 'a,a' }],
  ['nothing', { a: null, b: undefined }, { c: null, d: undefined, e: [] }, {}],
  ['names of the language', { constructor: 'a' }, {}, { constructor: 'a' }],
])('%s', (_, single, multi, expected) => {
  expect(readHeaders(single, multi)).toEqual(new Map(Object.entries(expected)));
});
