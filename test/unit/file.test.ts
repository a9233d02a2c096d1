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

test('a file remembers its last writes, the latest first', () => {
  const file = aFile({ version: 9, w1: 'a.p.9.i', w2: 'b-1..10.', w8: 'c..6.' });
  const recentWrites = [
    { id: 'a', payloadHash: 'p', invocation: 'i', version: 9 },
    { id: 'b-1', payloadHash: '', invocation: '', version: 36 },
    { id: 'c', payloadHash: '', invocation: '', version: 6 },
  ];
  expect(toFileMetadata(file)).toStrictEqual({ ...identity, version: 9, recentWrites });
});

test.each([
  [[3], []],
  [[''], []],
  [['no dot'], []],
  [['.p.7.i'], []],
  [['c.'], [{ id: 'c' }]],
  [['c..7'], [{ id: 'c' }]],
  [
    ['c..7. ', 'c..7.i.'],
    [{ id: 'c', payloadHash: '', invocation: ' ', version: 7 }, { id: 'c' }],
  ],
  [['c..-7.'], [{ id: 'c' }]],
  [['c..123456789abc.'], [{ id: 'c' }]],
  [[undefined, 'a.p.9.i'], [{ id: 'a', payloadHash: 'p', invocation: 'i', version: 9 }]],
])('entries of another form have an id at most, and end nothing: %j', (entries, recentWrites) => {
  const [w1, w2] = entries;
  expect(toFileMetadata(aFile({ w1, w2 })).recentWrites).toStrictEqual(recentWrites);
});

test.each([-1, 1.5, '7', null, 2 ** 53])('a record with version %j is rejected', (version) => {
  expect(() => toFileMetadata(aFile({ version }))).toThrow('file record does not fit: version');
});
