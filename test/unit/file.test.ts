import { describe, expect, test } from 'vitest';
import { InternalError } from '#lib/domain/errors.ts';
import { toFileIdentity, toFileView } from '#lib/domain/file.ts';
import { aBasicFile, aBasicFileView, aFile, aFileView, FILE_ID, without } from '#test/support/fixtures.ts';

describe('toFileView', () => {
  const cleared = { summary: null, documentKind: null, tags: [] };
  const internal = { id: 'x', ownerId: 'x', tenantId: 'x', version: 1, requestId: 'x', updatedBy: 'x' };
  const tags = aFile().tags.map((tag) => ({ ...tag, score: 1 }));
  test.each([
    ['name and counts: the detailed shape', aFile(), aFileView()],
    ['none of them: the basic shape', aBasicFile(), aBasicFileView()],
    ['no editable field and no tags', without(aFile(), ...Object.keys(cleared)), aFileView(cleared)],
    ['NULL in the editable fields', aFile(cleared), aFileView(cleared)],
    [
      'NULL in all that may be absent',
      aFile({ ...cleared, tags: null, originalName: null, chunksCount: null, charactersCount: null }),
      aBasicFileView(cleared),
    ],
    ['other attributes', aFile({ ...internal, tags }), aFileView()],
  ])('shows a record with %s', (_, record, view) => {
    expect(toFileView(record)).toStrictEqual(view);
  });

  test.each([
    [without(aFile(), 'domain'), 'domain: invalid_type'],
    [aFile({ domain: null, chunksCount: '1' }), 'domain: invalid_type, chunksCount: invalid_type'],
    [aFile({ summary: 1 }), 'summary: invalid_type'],
    [aFile({ chunksCount: 1.5 }), 'chunksCount: invalid_type'],
    [aFile({ originalName: null }), 'originalName missing from the detailed shape'],
    [aFile({ tags: [null] }), 'tags.0: invalid_type'],
    [aFile({ tags: [{ key: 'a', value: 'b' }] }), 'tags.0.aiExtracted: invalid_type'],
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

test('a file has version 0 before the first write', () => {
  expect(toFileIdentity(aFile())).toStrictEqual({ spaceId: 'handbook', fileId: FILE_ID, version: 0 });
});

test.each([-1, 1.5, '7', null, 2 ** 53])('rejects a record with version %j', (version) => {
  expect(() => toFileIdentity(aFile({ version }))).toThrow('file record does not fit: version');
});
