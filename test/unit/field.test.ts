import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { clearable, editable, partsOf, readOnly, text } from '#lib/domain/field.ts';
import { FileViewSchema } from '#lib/domain/file.ts';
import { editableFields } from '#lib/domain/file-patch.ts';
import { updateExpression } from '#lib/store/update-expression.ts';
import { aBasicFile, without } from '#test/support/fixtures.ts';

const oneOf =
  <Value extends string>(values: readonly [Value, ...Value[]]) =>
  (orNull: string) =>
    z.enum(values, { error: `must be one of ${values.join(', ')}${orNull}` });
const fields = {
  id: readOnly(z.string()),
  title: clearable(z.string(), text(3)),
  language: editable(z.string(), oneOf(['en', 'de'])),
};
const view = z.object(partsOf(fields, 'view'));
const patch = z.strictObject(partsOf(fields, 'edit'));

test('a record without a clearable field shows null, and one without another field does not fit', () => {
  expect(view.parse({ id: 'a', language: 'en' })).toStrictEqual({ id: 'a', title: null, language: 'en' });
  expect(view.safeParse({ id: 'a', title: null, language: null }).success).toBe(false);
});

test.each([
  [{ title: 'abc', language: 'de' }, []],
  [{ title: null }, []],
  [{ title: 1 }, ['must be a string or null']],
  [{ title: '👋👋👋👋' }, ['must be at most 3 characters']],
  [{ title: '\ud83d' }, ['contains invalid Unicode']],
  [{ language: null }, ['must be one of en, de']],
])('a patch %j gets the messages %j', (value, messages) => {
  expect(patch.safeParse(value).error?.issues.map(({ message }) => message) ?? []).toEqual(messages);
});

// The other fields decide the shape of a file, which has all of them or none.
test.each(editableFields)('%s is in each response, or a file must have it', (name) => {
  const { spaceId: _, fileId: id, ...file } = aBasicFile();
  const view = FileViewSchema.safeParse(without({ ...file, id }, name));
  expect(view.success ? Object.keys(view.data) : [name]).toContain(name);
  expect(['originalName', 'chunksCount', 'charactersCount']).not.toContain(name);
});

// tsc fails if one of these lines compiles.
test('a definition that could store what the view cannot show does not compile', () => {
  // @ts-expect-error: the view cannot show a text
  editable(z.number(), text(3));
  // @ts-expect-error: nor if it can be removed
  clearable(z.number(), text(3));
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
