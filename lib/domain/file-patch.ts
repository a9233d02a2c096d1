import * as z from 'zod/mini';
import { Failure } from './failure.ts';
import { FileViewSchema } from './file.ts';
import { topLevelNames } from './json-names.ts';

export const MAX_PROBLEMS = 5;
export const MAX_NAME_CHARACTERS = 64;

export const MAX_SUMMARY_CHARACTERS = 10_000;
export const MAX_DOCUMENT_KIND_CHARACTERS = 256;

/** Characters are code points: what a reader counts, whatever the encoding needs for them. */
const hasAtMost = (max: number, text: string) => text.length <= max || [...text].length <= max;

const editableText = (field: string, max: number) =>
  z.string({ error: `${field} must be a string or null` }).check(
    z.refine((text) => hasAtMost(max, text), { error: `${field} must be at most ${max} characters` }),
    z.refine((text) => text.isWellFormed(), { error: `${field} contains invalid Unicode` }),
  );

/** The editable fields. Absent: kept. Null: removed. A string: set, as it is. */
export const FilePatchSchema = z.strictObject({
  summary: z.exactOptional(z.nullable(editableText('summary', MAX_SUMMARY_CHARACTERS))),
  documentKind: z.exactOptional(z.nullable(editableText('documentKind', MAX_DOCUMENT_KIND_CHARACTERS))),
});
export type FilePatch = z.infer<typeof FilePatchSchema>;

const editableFields: readonly string[] = Object.keys(FilePatchSchema.shape);

const cut = (name: string) =>
  [...name.slice(0, 2 * MAX_NAME_CHARACTERS)].slice(0, MAX_NAME_CHARACTERS).join('');

const refusalOf = (name: string) =>
  Object.hasOwn(FileViewSchema.shape, name)
    ? `Field "${name}" is not editable`
    : `Unknown field "${cut(name)}"; editable fields are ${editableFields.join(', ')}`;

const refuse = (reason: string, messages: readonly string[]): never => {
  throw new Failure('patch-invalid', { reason, message: messages.slice(0, MAX_PROBLEMS).join('; ') });
};

/** The first name that stands twice. */
const findRepeated = (names: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
};

/**
 * Reads a partial update from a JSON object.
 *
 * @param json its text, which JSON.parse has accepted
 * @param body what JSON.parse made of it
 * @throws {Failure} patch-empty, or patch-invalid naming up to five fields in the order of the text
 */
export const toFilePatch = (json: string, body: object): FilePatch => {
  const names = topLevelNames(json);
  const repeated = findRepeated(names);
  if (repeated !== undefined) refuse('a field stands twice', [`Duplicate field "${cut(repeated)}"`]);
  if (names.length === 0) throw new Failure('patch-empty', { reason: 'body names no field' });

  const parsed = FilePatchSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const messagesOf = (name: string): readonly string[] =>
    editableFields.includes(name)
      ? parsed.error.issues.filter(({ path }) => path[0] === name).map(({ message }) => message)
      : [refusalOf(name)];
  return refuse('fields do not fit', names.flatMap(messagesOf));
};
