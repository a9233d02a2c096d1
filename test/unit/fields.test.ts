import { expect, expectTypeOf, test } from 'vitest';
import { type FileView, FileViewSchema } from '#lib/domain/file.ts';
import { editableFields, type FilePatch } from '#lib/domain/file-patch.ts';
import { updateExpression } from '#lib/store/update-expression.ts';
import { aBasicFile, without } from '#test/support/fixtures.ts';

// The other fields decide the shape of a file, which has all of them or none.
test.each(editableFields)('%s is in each response, or a file must have it', (name) => {
  const { spaceId: _, fileId: id, ...file } = aBasicFile();
  const view = FileViewSchema.safeParse(without({ ...file, id }, name));
  expect(view.success ? Object.keys(view.data) : [name]).toContain(name);
  expect(['originalName', 'chunksCount', 'charactersCount']).not.toContain(name);
});

test('the view can show whatever a patch can store', () => {
  // tsc compares them.
  expectTypeOf<FilePatch>().toExtend<Partial<FileView>>();
});

const write = {
  precondition: undefined,
  userId: 'grace',
  mark: { id: 'request1', payloadHash: '' },
  version: 35,
};

test('no editable field has the name of a key, of what each write sets, or of the id in a response', () => {
  const { UpdateExpression, ExpressionAttributeNames: names } = updateExpression({ ...write, patch: {} });
  const set = [...UpdateExpression.matchAll(/([#\w]+) = /g)].map(([, name = '']) => names[name] ?? name);
  expect(set).toEqual(expect.arrayContaining(['version', 'updatedBy', 'w1', 'w8']));
  const reserved = ['id', 'spaceId', 'fileId', ...set];
  expect(editableFields.filter((name) => reserved.includes(name))).toEqual([]);
});

test('fields have numbers in the expressions, so that any name fits, and no field meets another value', () => {
  const patch = { summary: 'New.', documentKind: null, 'größe-2.0': ['a'], none: null, id: true };
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = updateExpression({
    ...write,
    patch,
    precondition: [7],
  });
  expect(UpdateExpression).toMatch(
    /, #field0 = :field0, #field2 = :field2, #field4 = :field4 REMOVE #field1, #field3$/,
  );
  expect({ ExpressionAttributeNames, ExpressionAttributeValues }).toStrictEqual({
    ExpressionAttributeNames: {
      '#fileId': 'fileId',
      '#version': 'version',
      '#field0': 'summary',
      '#field1': 'documentKind',
      '#field2': 'größe-2.0',
      '#field3': 'none',
      '#field4': 'id',
    },
    ExpressionAttributeValues: {
      ':none': '',
      ':id': 'request1.',
      ':write': 'request1..z',
      ':version': 35,
      ':updatedBy': 'grace',
      ':match0': 7,
      ':field0': 'New.',
      ':field2': ['a'],
      ':field4': true,
    },
  });
});
