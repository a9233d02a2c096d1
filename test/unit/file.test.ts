import { describe, expect, test } from 'vitest';
import { InternalError } from '#lib/domain/errors.ts';
import { toFileMetadata, toFileView } from '#lib/domain/file.ts';
import { aBasicFile, aBasicFileView, aFile, aFileView, FILE_ID, without } from '#test/support/given.ts';

describe('toFileView', () => {
  const cleared = { summary: null, documentKind: null, tags: [] };
  const internal = { id: 'x', ownerId: 'x', tenantId: 'x', version: 1, requestId: 'x', updatedBy: 'x' };
  const [tag] = aFile().tags;
  test.each([
    ['name and counts: the detailed shape', aFile(), aFileView()],
    ['none of them: the basic shape', aBasicFile(), aBasicFileView()],
    ['no editable field and no tags', without(aFile(), ...Object.keys(cleared)), aFileView(cleared)],
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

const identity = { spaceId: 'handbook', fileId: FILE_ID };

test('a file has version 0 before the first write, and remembers none', () => {
  expect(toFileMetadata(aFile())).toStrictEqual({ ...identity, version: 0, recentWrites: [] });
});

test.each([3, '', 'c.7', 'c..7 ', '.c..7', 'c..-7'])(
  'a file remembers its last writes, the latest first, up to one of another form: %j',
  (w3) => {
    const file = aFile({ version: 9, w1: 'a.f.9', w2: 'b-1..10', w3, w4: 'd..6' });
    const recentWrites = [
      { id: 'a', fingerprint: 'f', version: 9 },
      { id: 'b-1', fingerprint: '', version: 36 },
    ];
    expect(toFileMetadata(file)).toStrictEqual({ ...identity, version: 9, recentWrites });
  },
);

test.each([-1, 1.5, '7', null, 2 ** 53])('a record with version %j is rejected', (version) => {
  expect(() => toFileMetadata(aFile({ version }))).toThrow('file record does not fit: version');
});
