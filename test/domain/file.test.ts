import { describe, expect, test } from 'vitest';
import { toFileStamp, toFileView } from '#lib/domain/file.ts';
import { aBasicFile, aFile, aFileView, FILE_ID } from '#test/support/given.ts';

const without = (record: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

describe('the view of a record', () => {
  test('has the detailed shape when name and counts are stored', () => {
    expect(toFileView(aFile())).toStrictEqual(aFileView());
  });

  test('has the basic shape when none of them is stored', () => {
    expect(toFileView(aBasicFile())).toStrictEqual(without(aBasicFile({ id: FILE_ID }), 'spaceId', 'fileId'));
  });

  test('holds null for what is not stored, or stored as null', () => {
    const view = aFileView({ summary: null, documentKind: null, tags: [] });
    expect(toFileView(without(aFile(), 'summary', 'documentKind', 'tags'))).toStrictEqual(view);
    expect(toFileView(aFile({ summary: null, documentKind: null, tags: [] }))).toStrictEqual(view);
  });

  test('holds nothing else that is stored', () => {
    const poison = { id: 'poison', ownerId: 'poison', tenantId: 'poison', version: 1, requestId: 'poison' };
    const tags = [{ key: 'audience', value: 'new hires', aiExtracted: true, score: 'poison' }];
    expect(toFileView(aFile({ ...poison, tags }))).toStrictEqual(aFileView());
  });
});

describe('a record that fits neither shape is a fault that names the attribute', () => {
  test.each([
    [without(aFile(), 'language'), 'file record does not fit: language: invalid_type'],
    [
      aFile({ language: null, domain: 1 }),
      'file record does not fit: language: invalid_type, domain: invalid_type',
    ],
    [aFile({ summary: 1 }), 'file record does not fit: summary: invalid_type'],
    [aFile({ chunksCount: 1.5 }), 'file record does not fit: chunksCount: invalid_type'],
    [aFile({ originalName: null }), 'file record does not fit: originalName: invalid_type'],
    [
      without(aFile(), 'originalName'),
      'file record does not fit: originalName missing from the detailed shape',
    ],
    [
      without(aFile(), 'chunksCount'),
      'file record does not fit: chunksCount missing from the detailed shape',
    ],
    [
      without(aFile(), 'charactersCount'),
      'file record does not fit: charactersCount missing from the detailed shape',
    ],
    [
      without(aFile(), 'chunksCount', 'charactersCount'),
      'file record does not fit: chunksCount, charactersCount missing from the detailed shape',
    ],
    [undefined, 'file record does not fit: record: invalid_type'],
  ])('%#', (record, message) => {
    expect(() => toFileView(record)).toThrow(expect.objectContaining({ name: 'Fault', message }));
  });
});

describe('the stamp of a record', () => {
  test('has version 0 before the first write', () => {
    expect(toFileStamp(aFile())).toStrictEqual({ spaceId: 'handbook', fileId: FILE_ID, version: 0 });
  });

  test.each([-1, 1.5, '7', null, 2 ** 53])('with version %j is a fault', (version) => {
    expect(() => toFileStamp(aFile({ version }))).toThrow('file record does not fit: version');
  });
});
