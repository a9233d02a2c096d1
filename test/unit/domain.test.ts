import { describe, expect, test } from 'vitest';
import { roles } from '#lib/domain/api-key.ts';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { toFileMetadata, toFileView } from '#lib/domain/file.ts';
import { toFilePatch } from '#lib/domain/file-patch.ts';
import { aBasicFile, aFile, aFileView, FILE_ID, without } from '#test/support/given.ts';

describe('toFilePatch', () => {
  const read = (json: string) => toFilePatch(json, JSON.parse(json));

  test.each([
    ['{"summary":"a"}', { summary: 'a' }],
    ['{"documentKind":"","summary":null}', { documentKind: '', summary: null }],
    [`{"summary":"${'😀'.repeat(10_000)}"}`, { summary: '😀'.repeat(10_000) }],
    [`{"documentKind":"${'😀'.repeat(256)}"}`, { documentKind: '😀'.repeat(256) }],
  ])('reads the fields of %.40s as they are', (json, patch) => {
    expect(read(json)).toStrictEqual(patch);
  });

  const unknown = (name: string) => `Unknown field "${name}"; editable fields are summary, documentKind`;
  const tooLong = 'summary must be at most 10000 characters';
  test.each<readonly [string, string]>([
    ['{"summary":1}', 'summary must be a string or null'],
    ['{"summary":{"S":"a"}}', 'summary must be a string or null'],
    ['{"documentKind":false}', 'documentKind must be a string or null'],
    [`{"summary":"${'😀'.repeat(10_001)}"}`, tooLong],
    [`{"documentKind":"${'k'.repeat(257)}"}`, 'documentKind must be at most 256 characters'],
    ['{"summary":"\\udc00\\ud800"}', 'summary contains invalid Unicode'],
    [`{"summary":"\\ud800${'a'.repeat(10_000)}"}`, `${tooLong}; summary contains invalid Unicode`],
    ...['id', 'originalName', 'language', 'domain', 'chunksCount', 'charactersCount', 'tags'].map(
      (name) => [`{"${name}":null}`, `Field "${name}" is not editable`] as const,
    ),
    ...['fileId', 'version', 'Summary', 'summary ', '', 'hasOwnProperty', '__proto__', ':{'].map(
      (name) => [`{"${name}":{"summary":[1,{"a":"}"}]}}`, unknown(name)] as const,
    ),
    [`{"${'é'.repeat(65)}":1}`, unknown('é'.repeat(64))],
    [`{"${'😀'.repeat(65)}":1}`, unknown('😀'.repeat(64))],
    ['{"\\"\\\\":1}', unknown('"\\')],
    ['{"x":1,"summary":7}', `${unknown('x')}; summary must be a string or null`],
    ['{"summary":7,"x":1}', `summary must be a string or null; ${unknown('x')}`],
    ['{"summary":"valid","x":1}', unknown('x')],
    ['{"5":1,"4":1,"3":1,"2":1,"1":1,"0":1}', ['5', '4', '3', '2', '1'].map(unknown).join('; ')],
  ])('rejects %.40s and names up to five problems, in the order of the text', (json, message) => {
    expect(() => read(json)).toThrow(new ApiError('patch-invalid', { reason: 'fields do not fit', message }));
  });

  test.each([
    ['{"summary":"a","summary":null}', 'summary'],
    ['{"summary":"a","\\u0073ummary":null}', 'summary'],
    ['{"x":1,"y":2,"y":3,"x":4}', 'y'],
    [`{"${'n'.repeat(70)}":1,"${'n'.repeat(70)}":1}`, 'n'.repeat(64)],
  ])('rejects %.40s, which names a field twice', (json, name) => {
    const message = `Duplicate field "${name}"`;
    expect(() => read(json)).toThrow(
      new ApiError('patch-invalid', { reason: 'a field is sent twice', message }),
    );
  });

  test('rejects an object without fields', () => {
    expect(() => read('{}')).toThrow(new ApiError('patch-empty', { reason: 'body names no field' }));
  });
});

describe('toFileView', () => {
  const cleared = { summary: null, documentKind: null, tags: [] };
  const internal = { id: 'x', ownerId: 'x', tenantId: 'x', version: 1, requestId: 'x', updatedBy: 'x' };
  const [tag] = aFile().tags;
  test.each([
    ['name and counts: the detailed shape', aFile(), aFileView()],
    [
      'none of them: the basic shape',
      aBasicFile(),
      without({ id: FILE_ID, ...aBasicFile() }, 'spaceId', 'fileId'),
    ],
    [
      'no editable field and no tags',
      without(aFile(), 'summary', 'documentKind', 'tags'),
      aFileView(cleared),
    ],
    ['null in the editable fields', aFile(cleared), aFileView(cleared)],
    ['other attributes', aFile({ ...internal, tags: [{ ...tag, score: 1 }] }), aFileView()],
  ])('shows a record with %s', (_, record, view) => {
    expect(toFileView(record)).toStrictEqual(view);
  });

  test.each([
    [without(aFile(), 'language'), 'language: invalid_type'],
    [aFile({ language: null, domain: 1 }), 'language: invalid_type, domain: invalid_type'],
    [aFile({ summary: 1 }), 'summary: invalid_type'],
    [aFile({ chunksCount: 1.5 }), 'chunksCount: invalid_type'],
    [aFile({ originalName: null }), 'originalName: invalid_type'],
    [aFile({ tags: [{ key: 'a', value: 'b' }] }), 'tags.0.aiExtracted: invalid_type'],
    [without(aFile(), 'originalName'), 'originalName missing from the detailed shape'],
    [without(aFile(), 'chunksCount'), 'chunksCount missing from the detailed shape'],
    [
      without(aFile(), 'chunksCount', 'charactersCount'),
      'chunksCount, charactersCount missing from the detailed shape',
    ],
    [undefined, 'record: invalid_type'],
  ])('rejects a record that fits neither shape (%#) and names the attribute', (record, problem) => {
    expect(() => toFileView(record)).toThrow(new InternalError(`file record does not fit: ${problem}`));
  });
});

describe('toFileMetadata', () => {
  test('reads version 0 before the first write', () => {
    expect(toFileMetadata(aFile())).toStrictEqual({ spaceId: 'handbook', fileId: FILE_ID, version: 0 });
  });

  test.each([-1, 1.5, '7', null, 2 ** 53])('rejects version %j', (version) => {
    expect(() => toFileMetadata(aFile({ version }))).toThrow('file record does not fit: version');
  });
});

test('the roles are those of the contract', () => {
  expect(roles).toEqual(['admin', 'editor', 'viewer']);
});
