import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { clearable, editable, partsOf, readOnly, text } from '#lib/domain/field.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import { updateExpression } from '#lib/store/update-expression.ts';

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

type Patch = Parameters<typeof updateExpression>[0]['patch'];
test('a field with the name of an attribute that the write sets itself does not compile', () => {
  const patchOf = <Name extends string>(_name: Name): FilePatch & { [Key in Name]?: string } => ({});
  const others: Patch[] = [patchOf('title'), patchOf('write')];
  // @ts-expect-error
  others.push(patchOf('spaceId'));
  // @ts-expect-error
  others.push(patchOf('fileId'));
  // @ts-expect-error
  others.push(patchOf('version'));
  // @ts-expect-error
  others.push(patchOf('updatedBy'));
  // @ts-expect-error
  others.push(patchOf('w3'));
});

test('a value of a field never replaces another value of the expressions', () => {
  const named = { summary: 'New.', id: 'a', none: 'b', write: 'c', match0: 'd', tags: ['e'], done: true };
  const { ExpressionAttributeValues: values } = updateExpression({
    patch: named,
    precondition: [7],
    userId: 'grace',
    mark: { id: 'request1', payloadHash: '' },
    version: 35,
  });
  expect(values).toStrictEqual({
    ':none': '',
    ':id': 'request1.',
    ':write': 'request1..z',
    ':version': 35,
    ':updatedBy': 'grace',
    ':match0': 7,
    ':to_summary': 'New.',
    ':to_id': 'a',
    ':to_none': 'b',
    ':to_write': 'c',
    ':to_match0': 'd',
    ':to_tags': ['e'],
    ':to_done': true,
  });
});

test('several fields are removed by one list', () => {
  const { UpdateExpression } = updateExpression({
    patch: { summary: null, documentKind: null },
    precondition: undefined,
    userId: 'grace',
    mark: { id: 'request1', payloadHash: '' },
    version: 35,
  });
  expect(UpdateExpression).toMatch(/ REMOVE #summary, #documentKind$/);
});
