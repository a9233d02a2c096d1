import * as z from 'zod/mini';
import { ApiError } from './errors.ts';
import { FileViewSchema, type Precondition } from './file.ts';
import { propertyOf } from './parse-data.ts';

/** How many problems one response names. */
export const MAX_PROBLEMS = 5;
/** How much of an unknown field's name it shows. */
export const MAX_NAME_CHARACTERS = 64;

/**
 * Null, or text of at most `maxLength` characters, which are Unicode code points: `z.maxLength` would count UTF-16 code
 * units. `params` is the limit in JSON Schema. The messages follow the field's name.
 */
const textOrNull = (maxLength: number) =>
  z.exactOptional(
    z.nullable(
      z.string({ error: 'must be a string or null' }).check(
        z.refine((value) => [...value].length <= maxLength, {
          error: `must be at most ${maxLength} characters`,
          params: { maxLength },
        }),
        z.refine((value) => value.isWellFormed(), { error: 'contains invalid Unicode' }),
      ),
    ),
  );

/** A partial update (docs/contract.md, Request). Absent: kept. Null: removed. A value: set, as it is. */
export const FilePatchSchema = z.strictObject({ summary: textOrNull(10_000), documentKind: textOrNull(256) });
export type FilePatch = z.output<typeof FilePatchSchema>;

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

const cut = (name: string) =>
  [...name.slice(0, 2 * MAX_NAME_CHARACTERS)].slice(0, MAX_NAME_CHARACTERS).join('');

const notEditable = (name: string) =>
  Object.hasOwn(FileViewSchema.shape, name)
    ? `Field "${name}" is not editable`
    : `Unknown field "${cut(name)}"; editable fields are ${editableFields.join(', ')}`;

const invalid = (reason: string, clientMessage: string) =>
  new ApiError('patch-invalid', { reason, clientMessage });

const parseObject = (json: string): object => {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The cause is left out: its message quotes the body.
    throw new ApiError('body-not-json', { reason: 'body is not JSON' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('body-not-object', { reason: 'body is JSON but no object' });
  return value;
};

/** A text, a run of brackets of one direction, or a colon. Runs, because a body may have 100,000 brackets. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{[]+|[}\]]+|:/g;

/**
 * The field names of a JSON object as its text has them: in order, duplicates included. JSON.parse keeps neither:
 * it drops all but the last of a duplicate name and moves numeric names to the front.
 */
const topLevelNames = (json: string): readonly string[] => {
  const names: string[] = [];
  let depth = 0;
  let text = '';
  for (const [token] of json.matchAll(JSON_TOKEN)) {
    if (token === ':') {
      if (depth === 1) names.push(JSON.parse(text));
    } else if (token.startsWith('"')) text = token;
    else depth += /^[{[]/.test(token) ? token.length : -token.length;
  }
  return names;
};

const findDuplicate = (names: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
};

/**
 * Reads a partial update from its JSON text.
 *
 * @throws {ApiError} body-not-json, body-not-object, patch-empty, or patch-invalid naming up to five fields in the order
 * of the text
 */
export const toFilePatch = (json: string): FilePatch => {
  const body = parseObject(json);
  const names = topLevelNames(json);
  const duplicate = findDuplicate(names);
  if (duplicate !== undefined) throw invalid('a field is sent twice', `Duplicate field "${cut(duplicate)}"`);
  if (names.length === 0) throw new ApiError('patch-empty', { reason: 'body names no field' });

  // A body may name thousands of fields. Only those that exist reach zod, and only five get a message.
  const sent = editableFields.filter((name) => Object.hasOwn(body, name));
  const parsed = FilePatchSchema.safeParse(
    Object.fromEntries(sent.map((name) => [name, propertyOf(body, name)])),
  );
  if (parsed.success && names.length === sent.length) return parsed.data;
  const problemsOf = (name: string): readonly string[] =>
    editableFields.includes(name)
      ? (parsed.error?.issues ?? [])
          .filter(({ path }) => path[0] === name)
          .map(({ message }) => `${name} ${message}`)
      : [notEditable(name)];
  // An iterator makes no more messages than it gives.
  const problems = names.values().flatMap(problemsOf).take(MAX_PROBLEMS);
  throw invalid('fields do not fit', [...problems].join('; '));
};
