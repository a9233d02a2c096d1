import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import { clearable, editable, partsOf, readOnly, text } from '#lib/domain/field.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import { type FileWrite, updateExpression } from '#lib/store/update-expression.ts';

const oneOf = <Value extends string>(values: readonly [Value, ...Value[]]) => ({
  sample: values[0],
  schema: (orNull: string) => z.enum(values, { error: `must be one of ${values.join(', ')}${orNull}` }),
});
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

test('a sample has each field that a patch can set', () => {
  expect(partsOf(fields, 'sample')).toStrictEqual({ title: '-', language: 'en' });
});

// tsc fails if one of these lines compiles.
test('a definition that could store what the view cannot show does not compile', () => {
  // @ts-expect-error: a file without the field has no value to show
  editable(z.exactOptional(z.string()), text(3));
  // @ts-expect-error: nor does null fit into all or none of the fields of the detailed shape
  clearable(z.exactOptional(z.string()), text(3));
  // @ts-expect-error: the view cannot show a text
  editable(z.number(), text(3));
  // @ts-expect-error: nor if it can be removed
  clearable(z.number(), text(3));
});

test('an editable field with a reserved name does not compile', () => {
  expectTypeOf<FileWrite<FilePatch & { readonly title?: string; readonly write?: string }>>();
  // @ts-expect-error: a response would show the stored fileId instead
  expectTypeOf<FileWrite<FilePatch & { readonly id?: string }>>();
  // @ts-expect-error: it is a key of the table
  expectTypeOf<FileWrite<FilePatch & { readonly spaceId?: string }>>();
  // @ts-expect-error: it is a key of the table
  expectTypeOf<FileWrite<FilePatch & { readonly fileId?: string }>>();
  // @ts-expect-error: each write sets it
  expectTypeOf<FileWrite<FilePatch & { readonly version?: string }>>();
  // @ts-expect-error: each write sets it
  expectTypeOf<FileWrite<FilePatch & { readonly updatedBy?: string }>>();
  // @ts-expect-error: each write sets it
  expectTypeOf<FileWrite<FilePatch & { readonly w3?: string }>>();
});

test('fields have numbers in the expressions, so that any name fits, and no field meets another value', () => {
  const patch = { summary: 'New.', documentKind: null, 'größe-2.0': ['a'], none: null, id: true };
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = updateExpression({
    patch,
    precondition: [7],
    userId: 'grace',
    mark: { id: 'request1', payloadHash: '' },
    version: 35,
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
