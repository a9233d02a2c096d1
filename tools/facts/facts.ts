import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { roles, updateFiles } from '#lib/domain/api-key.ts';
import { ApiError, type ErrorCode } from '#lib/domain/errors.ts';
import { FileViewSchema, fields, toFileView } from '#lib/domain/file.ts';
import { editableFields, FilePatchSchema, MAX_PROBLEMS, toFilePatch } from '#lib/domain/file-patch.ts';
import { MAX_BODY_BYTES, MAX_CONTENT_TYPE_CHARACTERS } from '#lib/http/read-file-patch.ts';
import {
  MAX_API_KEY_CHARACTERS,
  MAX_ETAGS,
  MAX_ID_CHARACTERS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
} from '#lib/http/request-headers.ts';
import { errorResponse, errorResponses, fileResponse } from '#lib/http/responses.ts';
import { MIN_FREE_BYTES, RECENT_WRITES } from '#lib/store/recent-writes.ts';
import { MAX_KEY_BYTES } from '#lib/store/storable-id.ts';
import { check, UsageError } from '#tools/cli.ts';
import { projectRoot } from '#tools/project.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import type { Phrase } from './edits.ts';

type Json = Readonly<Record<string, unknown>>;
/** The JSON Schema of an object. */
export type ObjectSchema = Json & {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required?: readonly string[] | undefined;
};

/** An error that a request can get. */
type CheckedError = {
  readonly code: ErrorCode;
  /** The number of the check (openapi.yaml, "Order of checks"), if a check determines it. */
  readonly check?: number;
  /** Its name in openapi.yaml. Usually the code. */
  readonly example?: string;
  /** A number that the documents name where they say when a request gets it. */
  readonly says?: readonly Phrase[];
  /** Whether the client learns the version of the file. */
  readonly hasEtag?: boolean;
  /** A body that gets this error, for a code whose message names a field. */
  readonly body?: string;
};

/** tsc names each code that is missing. */
const complete = <const Listed extends readonly CheckedError[]>(
  list: Listed & { readonly [Missing in Exclude<ErrorCode, Listed[number]['code']>]: CheckedError },
): readonly CheckedError[] => list;

/** A field that can be any text, so that each body below gets the error that it stands for. */
const textField = editableFields.find((name) => FilePatchSchema.safeParse({ [name]: 'any' }).success) ?? '';
const [firstReadOnly = ''] = Object.keys(fields).filter((name) => !editableFields.includes(name));
const lastReadOnly = Object.keys(fields).findLast((name) => !editableFields.includes(name)) ?? '';

/** All errors in the order of the checks. Two codes occur at several checks. */
const errorsByCheck = complete([
  { code: 'user-id-missing', check: 1 },
  { code: 'user-id-invalid', check: 1 },
  { code: 'tenant-id-missing', check: 1 },
  { code: 'tenant-id-invalid', check: 1 },
  { code: 'api-key-invalid', check: 2 },
  { code: 'permission-denied', check: 3 },
  { code: 'content-type-unsupported', check: 4 },
  { code: 'content-encoding-unsupported', check: 4 },
  { code: 'body-too-large', check: 4, says: [['more than # bytes', MAX_BODY_BYTES]] },
  { code: 'body-missing', check: 4 },
  { code: 'body-not-json', check: 4 },
  { code: 'body-not-object', check: 4 },
  {
    code: 'patch-invalid',
    check: 4,
    example: 'duplicate-field',
    body: `{"${textField}":"a","${textField}":"b"}`,
  },
  { code: 'patch-empty', check: 4 },
  { code: 'patch-invalid', check: 4, example: 'field-not-editable', body: `{"${firstReadOnly}":"a"}` },
  { code: 'patch-invalid', check: 4, example: 'field-unknown', body: '{"x":1}' },
  { code: 'patch-invalid', check: 4, example: 'wrong-type', body: `{"${textField}":1}` },
  {
    code: 'patch-invalid',
    check: 4,
    example: 'too-long',
    body: JSON.stringify({ [textField]: 'x'.repeat(100_000) }),
  },
  {
    code: 'patch-invalid',
    check: 4,
    example: 'invalid-unicode',
    body: String.raw`{"${textField}":"\ud83d"}`,
  },
  {
    code: 'patch-invalid',
    check: 4,
    example: 'several-problems',
    says: [['at most # problems', MAX_PROBLEMS]],
    body: `{"${lastReadOnly}":[],"${textField}":1}`,
  },
  { code: 'space-not-found', check: 5 },
  { code: 'permission-denied', check: 5, example: 'space-is-private' },
  { code: 'idempotency-key-invalid', check: 6 },
  { code: 'if-match-invalid', check: 6 },
  { code: 'file-not-found', check: 6 },
  { code: 'idempotency-key-reused', check: 6 },
  { code: 'file-changed', check: 6, hasEtag: true },
  { code: 'file-too-large', check: 6 },
  { code: 'unavailable' },
  { code: 'internal-error' },
]);

/** The exact message of an error. */
const messageOf = ({ code, body }: CheckedError): string => {
  if (body === undefined) return errorResponses[code].message;
  try {
    toFilePatch(body);
  } catch (error) {
    if (error instanceof ApiError && error.code === code && error.details.clientMessage)
      return error.details.clientMessage;
  }
  throw new UsageError(`tools/facts/facts.ts: the body ${body.slice(0, 100)} does not get ${code}.`);
};

/** Headers that no document names for a status: the media type is the key of `content` in openapi.yaml. */
const { 'content-type': _, ...headersOf200 } = fileResponse({
  file: toFileView({ ...demo.files[0] }),
  version: 0,
  replayed: true,
}).headers;
const headersOf = ({ code, hasEtag }: CheckedError) => {
  const error = new ApiError(code, { reason: '', ...(hasEtag && { version: 0 }) });
  const { 'content-type': _, ...headers } = errorResponse(error).headers;
  return headers;
};

/** The errors with what a client gets. */
const errorFacts = () =>
  errorsByCheck.map((error) => ({
    code: error.code,
    check: error.check,
    example: error.example ?? error.code,
    says: error.says ?? [],
    status: errorResponses[error.code].status,
    message: messageOf(error),
    headers: headersOf(error),
  }));

/** A type that can be null as a list of types, which generators read better than `anyOf`. */
const flattenNullable = (_: string, value: unknown): unknown => {
  const { anyOf, ...schema } = Object(value);
  if (!Array.isArray(anyOf) || anyOf[1]?.type !== 'null' || typeof anyOf[0].type !== 'string') return value;
  const [inner] = anyOf;
  const values = inner.enum && { enum: [...inner.enum, null] };
  return { ...schema, ...inner, type: [inner.type, 'null'], ...values };
};

/**
 * The JSON Schema of an object that the code parses.
 *
 * @param io what a client sends is closed, and what it gets may gain fields
 */
const toJsonSchema = (schema: z.core.$ZodType, io: 'input' | 'output'): ObjectSchema => {
  const generated = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // JSON Schema counts code points, as the checks of the code do. z.maxLength would count UTF-16 code units.
      for (const one of zodSchema._zod.def.checks ?? [])
        Object.assign(jsonSchema, Reflect.get(one._zod.def, 'params'));
      if (io === 'output' && jsonSchema.type === 'object') jsonSchema.additionalProperties = true;
      // Defaults are those of stored records. The bounds are those of each safe integer.
      delete jsonSchema.default;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const { $schema: _, ...rest } = JSON.parse(JSON.stringify(generated), flattenNullable);
  return rest;
};

const [firstFile, secondFile] = demo.files;
const demoFiles = [{ ...firstFile }, { ...secondFile }];
const view = toJsonSchema(FileViewSchema, 'output');
const TagsSchema = z.object({
  items: z.looseObject({ properties: z.record(z.string(), z.looseObject({})) }),
});

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

/** What the code knows and the documents say. A test can change a part of it. */
export const factsOfCode = {
  /** Of package.json. */
  version: String(version),
  /** Which roles may update. */
  roles: {
    granting: updateFiles.roles,
    others: roles.filter((role) => !updateFiles.roles.includes(role)),
  },
  /** Characters, but for the etags, the writes, and what names bytes. */
  limits: {
    apiKey: MAX_API_KEY_CHARACTERS,
    callerId: MAX_ID_CHARACTERS,
    pathIdBytes: MAX_KEY_BYTES,
    contentType: MAX_CONTENT_TYPE_CHARACTERS,
    etags: MAX_ETAGS,
    idempotencyKey: MAX_IDEMPOTENCY_KEY_CHARACTERS,
    bodyBytes: MAX_BODY_BYTES,
    recentWrites: RECENT_WRITES,
    freeBytes: MIN_FREE_BYTES,
  },
  /** Not made before they are needed: a body that gets another error than it stands for is an error of that reader. */
  get errors() {
    return errorFacts();
  },
  /** The headers of 200, each with a value. */
  headersOf200,
  patch: toJsonSchema(FilePatchSchema, 'input'),
  view,
  tag: check(TagsSchema, view.properties['tags']).items,
  /** Values of fields, which openapi.yaml shows. */
  values: { file: { id: firstFile?.fileId, ...firstFile }, tag: { ...firstFile?.tags[0] } },
  /** The response to an update of one of the first two demo files. `body` is the parsed one of the request. */
  responseTo: (body: unknown, file: 0 | 1) =>
    check(
      z.record(z.string(), z.unknown()),
      toFileView({ ...demoFiles[file], ...toFilePatch(JSON.stringify(body)) }),
    ),
};
export type CodeFacts = typeof factsOfCode;
