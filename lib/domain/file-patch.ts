import * as z from 'zod/mini';
import { ApiError } from './errors.ts';
import { FileViewSchema, type Precondition } from './file.ts';

/** The longest values, in characters; a character is a Unicode code point. */
export const MAX_CHARACTERS = { summary: 10_000, documentKind: 256 } as const;
/** How many problems one response names, and how much of an unknown field's name, in characters. */
export const MAX_PROBLEMS = 5;
export const MAX_NAME_CHARACTERS = 64;

const editableText = (field: keyof typeof MAX_CHARACTERS) => {
  const max = MAX_CHARACTERS[field];
  return z.exactOptional(
    z.nullable(
      z.string({ error: `${field} must be a string or null` }).check(
        z.refine((text) => [...text].length <= max, { error: `${field} must be at most ${max} characters` }),
        z.refine((text) => text.isWellFormed(), { error: `${field} contains invalid Unicode` }),
      ),
    ),
  );
};

/** The editable fields (docs/contract.md, Request). Absent: kept. Null: removed. A string: set, as it is. */
export const FilePatchSchema = z.strictObject({
  summary: editableText('summary'),
  documentKind: editableText('documentKind'),
});
export type FilePatch = z.infer<typeof FilePatchSchema>;

/** One update of one file, as a caller asks for it. */
export type FileUpdate = {
  readonly spaceId: string;
  readonly fileId: string;
  readonly tenantId: string;
  /** The user on whose behalf the file changes. */
  readonly userId: string;
  readonly patch: FilePatch;
  readonly precondition: Precondition;
  readonly idempotencyKey: string | undefined;
};

export const editableFields: readonly string[] = Object.keys(FilePatchSchema.shape);

const cut = (name: string) => [...name].slice(0, MAX_NAME_CHARACTERS).join('');

const notEditable = (name: string) =>
  Object.hasOwn(FileViewSchema.shape, name)
    ? `Field "${name}" is not editable`
    : `Unknown field "${cut(name)}"; editable fields are ${editableFields.join(', ')}`;

const invalid = (reason: string, messages: readonly string[]) =>
  new ApiError('patch-invalid', { reason, message: messages.slice(0, MAX_PROBLEMS).join('; ') });

const findDuplicate = (names: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
};

/**
 * Reads a partial update from a JSON object.
 *
 * @param body the object
 * @param names the names of its fields as its text has them: in order, duplicates included
 * @throws {ApiError} patch-empty, or patch-invalid naming up to five fields in the order of the text
 */
export const toFilePatch = (body: object, names: readonly string[]): FilePatch => {
  const duplicate = findDuplicate(names);
  if (duplicate !== undefined)
    throw invalid('a field is sent twice', [`Duplicate field "${cut(duplicate)}"`]);
  if (names.length === 0) throw new ApiError('patch-empty', { reason: 'body names no field' });

  const parsed = FilePatchSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const messagesOf = (name: string): readonly string[] =>
    editableFields.includes(name)
      ? parsed.error.issues.filter(({ path }) => path[0] === name).map(({ message }) => message)
      : [notEditable(name)];
  throw invalid('fields do not fit', names.flatMap(messagesOf));
};
