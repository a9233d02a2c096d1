import { describe, expect, test } from 'vitest';
import { toFilePatch } from '#lib/domain/file-patch.ts';

const read = (json: string) => toFilePatch(json, JSON.parse(json));
const messageOf = (json: string): unknown => {
  try {
    return read(json);
  } catch (error) {
    return error instanceof Error && 'details' in error ? error.details : error;
  }
};

test.each([
  ['{"summary":"a"}', { summary: 'a' }],
  ['{"summary":null}', { summary: null }],
  ['{"documentKind":""}', { documentKind: '' }],
  ['{"documentKind":"b","summary":null}', { documentKind: 'b', summary: null }],
])('%s is a patch', (json, patch) => {
  expect(read(json)).toStrictEqual(patch);
});

test('a field may have as many characters as its limit, counted in code points', () => {
  const full = { summary: '😀'.repeat(10_000), documentKind: '😀'.repeat(256) };
  expect(read(JSON.stringify(full))).toStrictEqual(full);
});

const unknown = (name: string) => `Unknown field "${name}"; editable fields are summary, documentKind`;

describe('is refused with a message for each problem, in the order of the text', () => {
  test.each([
    ['{"summary":1}', 'summary must be a string or null'],
    ['{"summary":{"S":"a"}}', 'summary must be a string or null'],
    ['{"documentKind":false}', 'documentKind must be a string or null'],
    [JSON.stringify({ summary: '😀'.repeat(10_001) }), 'summary must be at most 10000 characters'],
    [JSON.stringify({ documentKind: 'k'.repeat(257) }), 'documentKind must be at most 256 characters'],
    ['{"summary":"\\udc00\\ud800"}', 'summary contains invalid Unicode'],
    [
      JSON.stringify({ summary: `\ud800${'a'.repeat(10_000)}` }),
      'summary must be at most 10000 characters; summary contains invalid Unicode',
    ],
    ['{"id":1}', 'Field "id" is not editable'],
    ['{"originalName":"x"}', 'Field "originalName" is not editable'],
    ['{"language":"de"}', 'Field "language" is not editable'],
    ['{"domain":null}', 'Field "domain" is not editable'],
    ['{"chunksCount":1}', 'Field "chunksCount" is not editable'],
    ['{"charactersCount":1}', 'Field "charactersCount" is not editable'],
    ['{"tags":[]}', 'Field "tags" is not editable'],
    ['{"fileId":"a"}', unknown('fileId')],
    ['{"version":9}', unknown('version')],
    ['{"Summary":"a"}', unknown('Summary')],
    ['{"summary ":"a"}', unknown('summary ')],
    ['{"hasOwnProperty":1}', unknown('hasOwnProperty')],
    [`{"${'é'.repeat(65)}":1}`, unknown('é'.repeat(64))],
    [`{"${'😀'.repeat(65)}":1}`, unknown('😀'.repeat(64))],
    ['{"x":1,"summary":7}', `${unknown('x')}; summary must be a string or null`],
    ['{"summary":7,"x":1}', `summary must be a string or null; ${unknown('x')}`],
    ['{"summary":"good","x":1}', unknown('x')],
    ['{"5":1,"4":1,"3":1,"2":1,"1":1,"0":1}', ['5', '4', '3', '2', '1'].map(unknown).join('; ')],
  ])('%.60s', (json, message) => {
    expect(messageOf(json)).toEqual({ reason: 'fields do not fit', message });
  });
});

test.each([
  ['{"summary":"a","summary":null}', 'Duplicate field "summary"'],
  ['{"summary":"a","\\u0073ummary":null}', 'Duplicate field "summary"'],
  ['{"x":1,"y":2,"y":3,"x":4}', 'Duplicate field "y"'],
  [`{"${'n'.repeat(70)}":1,"${'n'.repeat(70)}":1}`, `Duplicate field "${'n'.repeat(64)}"`],
])('%.60s names a field twice', (json, message) => {
  expect(messageOf(json)).toEqual({ reason: 'a field stands twice', message });
});

test('{} names no field', () => {
  expect(() => read('{}')).toThrow(
    expect.objectContaining({ name: 'ApiError', code: 'patch-empty', message: 'body names no field' }),
  );
});

test('20,000 unknown fields are refused as quickly as one', () => {
  const json = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`f${n}`, 1])));
  const message = ['f0', 'f1', 'f2', 'f3', 'f4'].map(unknown).join('; ');
  expect(messageOf(json)).toEqual({ reason: 'fields do not fit', message });
});
