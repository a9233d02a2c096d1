import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { ApiError } from '#lib/domain/errors.ts';
import { FileViewSchema, toFileView } from '#lib/domain/file.ts';
import { FilePatchSchema, MAX_PROBLEMS, toFilePatch } from '#lib/domain/file-patch.ts';
import {
  acceptedMediaTypes,
  MAX_BODY_BYTES,
  MAX_CONTENT_TYPE_CHARACTERS,
} from '#lib/http/read-file-patch.ts';
import {
  MAX_API_KEY_CHARACTERS,
  MAX_ETAGS,
  MAX_ID_CHARACTERS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
} from '#lib/http/request-headers.ts';
import { errorResponses } from '#lib/http/responses.ts';
import { RECENT_WRITES } from '#lib/store/recent-writes.ts';
import { check, UsageError } from '#tools/cli.ts';
import { projectRoot } from '#tools/project.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { errorsByCheck, type When } from './errors-by-check.ts';

const stop = (message: string): never => {
  throw new UsageError(`The description cannot be written: ${message}.`);
};
const mapValues = <From, To>(record: Readonly<Record<string, From>>, to: (value: From, key: string) => To) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]));

type Json = Readonly<Record<string, unknown>>;
type ObjectSchema = Json & {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required?: readonly string[] | undefined;
};

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

const patchSchema = toJsonSchema(FilePatchSchema, 'input');
const viewSchema = toJsonSchema(FileViewSchema, 'output');
const optionalFields = Object.keys(viewSchema.properties).filter(
  (name) => !viewSchema.required?.includes(name),
);

const inCode = (names: readonly string[]) => names.map((name) => `\`${name}\``);
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
const constants: Readonly<Record<string, unknown>> = {
  VERSION: version,
  ACCEPT_PATCH: acceptedMediaTypes.join(', '),
  MAX_API_KEY_CHARACTERS,
  MAX_BODY_BYTES,
  MAX_CONTENT_TYPE_CHARACTERS,
  MAX_ETAGS,
  MAX_ID_CHARACTERS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  MAX_PROBLEMS,
  OPTIONAL_FIELDS: `${inCode(optionalFields.slice(0, -1)).join(', ')} and ${inCode(optionalFields.slice(-1))}`,
  RECENT_WRITES,
};
const constantOf = (name: string) => constants[name] ?? stop(`there is no constant {${name}}`);
/** A text with its constants. A text that is one constant is its value. */
const fill = (text: string): unknown => {
  const [, whole] = /^\{([A-Z_]+)\}$/.exec(text) ?? [];
  return whole ? constantOf(whole) : text.replaceAll(/\{([A-Z_]+)\}/g, (_, name) => `${constantOf(name)}`);
};

const AnySchema = z.record(z.string(), z.unknown());
const Texts = z.record(z.string(), z.looseObject({}));
const BaseSchema = z.strictObject({
  openapi: z.string(),
  info: AnySchema,
  servers: z.array(AnySchema),
  tags: z.array(AnySchema),
  path: z.string(),
  operation: AnySchema,
  requestBody: AnySchema,
  patches: z.record(z.string(), z.strictObject({ summary: z.string(), value: AnySchema })),
  everyResponse: z.array(z.string()),
  responses: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      headers: z.array(z.string()).default([]),
      gateway: z
        .strictObject({ summary: z.string(), value: z.strictObject({ message: z.string() }) })
        .optional(),
    }),
  ),
  errorCodes: z.looseObject({ default: z.string() }),
  headers: z.record(z.string(), AnySchema),
  securitySchemes: AnySchema,
  parameters: AnySchema,
  schemas: z.strictObject({
    CallerId: AnySchema,
    FilePatch: AnySchema,
    FileMetadata: AnySchema,
    Tag: AnySchema,
    ErrorResponse: AnySchema,
  }),
  fields: z.strictObject({ FileMetadata: Texts, Tag: Texts }),
});
const baseText = readFileSync(join(projectRoot, 'tools', 'description', 'base.yaml'), 'utf8');
const base = check(
  BaseSchema,
  parse(baseText, (_, value) => (typeof value === 'string' ? fill(value) : value)),
);

/** The whole message of an error, and its status. */
const responseTo = ({ code, body, when, header }: When) => {
  const { status, message, headers = {} } = errorResponses[code];
  const names = Object.keys(headers).concat(header ?? []);
  if (body === undefined) return { status, message, headers: names };
  try {
    toFilePatch(body);
  } catch (error) {
    if (error instanceof ApiError && error.code === code)
      return { status, message: error.details.message ?? message, headers: names };
  }
  return stop(`the body ${body.slice(0, 100)} does not get ${code}, "${when}"`);
};
export const errorRows = errorsByCheck.map((row) => ({
  ...row,
  when: `${fill(row.when)}`,
  ...responseTo(row),
}));

const ref = (path: string) => ({ $ref: `#/components/${path}` });
const json = (schema: string, examples: Json) => ({
  content: { 'application/json': { schema: ref(`schemas/${schema}`), examples } },
});

const rowsOf = (status: string) => errorRows.filter((row) => `${row.status}` === status);
const codesOf = (status: string) => [...new Set(rowsOf(status).map(({ code }) => code))];
const statuses = [...new Set(errorRows.map(({ status }) => `${status}`))].toSorted();

/** `x-error-code` is a header of its own for each status. */
const toComponent = (header: string, status: string): string => {
  if (header === 'x-error-code') return `ErrorCode${status}`;
  const name = header.replace(/^x-/, '').replaceAll(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());
  return name in base.headers ? name : stop(`base.yaml does not have the header ${name}`);
};
const headersOf = (status: string, names: readonly string[]) =>
  Object.fromEntries([...new Set(names)].map((name) => [name, ref(`headers/${toComponent(name, status)}`)]));

const exampleOf = ({ code, check, when, example = code, message }: (typeof errorRows)[number]) => {
  const plain = when.replaceAll('`', '');
  const summary = check ? `Check ${check}: ${plain}` : `${plain[0]?.toUpperCase()}${plain.slice(1)}`;
  return [example, { summary, value: { message } }];
};
const errorOf = (status: string) => {
  const { description, gateway } =
    base.responses[status] ?? stop(`base.yaml does not have the status ${status}`);
  const rows = rowsOf(status);
  const names = [...base.everyResponse, 'x-error-code', ...rows.flatMap(({ headers }) => headers)];
  const examples = { ...Object.fromEntries(rows.map(exampleOf)), ...(gateway && { gateway }) };
  const headers = rows.length > 0 && { headers: headersOf(status, names) };
  return { description, ...headers, ...json('ErrorResponse', examples) };
};
for (const [status, { gateway }] of Object.entries(base.responses))
  if (status !== '200' && !statuses.includes(status) && !gateway) stop(`no error has the status ${status}`);
for (const status of Object.keys(base.errorCodes))
  if (status !== 'default' && !statuses.includes(status)) stop(`no error has the status ${status}`);

const readPatch = (name: string, value: unknown) => {
  try {
    return toFilePatch(JSON.stringify(value));
  } catch (error) {
    return stop(
      `the patch ${name} of base.yaml: ${error instanceof ApiError ? error.details.message : error}`,
    );
  }
};
const [firstPatch, secondPatch] = Object.entries(base.patches).map(([name, { value }]) =>
  readPatch(name, value),
);
const [firstFile, secondFile] = demo.files;
const success = {
  description: base.responses['200']?.description,
  headers: headersOf('200', [...base.everyResponse, 'etag', 'idempotency-replayed']),
  ...json('FileMetadata', {
    detailed: {
      summary: 'A file with its original name and its counts',
      value: toFileView({ ...firstFile, ...firstPatch }),
    },
    basic: { summary: 'A file without them', value: toFileView({ ...secondFile, ...secondPatch }) },
  }),
};
const responses = {
  '200': success,
  ...Object.fromEntries(
    Object.keys(base.responses)
      .concat(statuses)
      .filter((status) => status !== '200')
      .map((status) => [status, errorOf(status)]),
  ),
};

const isNullable = ({ type }: Json) => Array.isArray(type) && type.includes('null');
/** The properties of a schema with what base.yaml has about them, and an example. */
const describe = (
  properties: ObjectSchema['properties'],
  texts: Readonly<Record<string, Json>>,
  examples: Json,
  rule: (property: Json) => string,
) => {
  for (const name of Object.keys(texts))
    if (!(name in viewSchema.properties || name in properties)) stop(`there is no field ${name}`);
  return mapValues(properties, ({ type, ...property }, name) => {
    const example = examples[name] ?? stop(`the first file of the demo data has no ${name}`);
    const { description, ...more } = texts[name] ?? {};
    const words = [description, rule({ type, ...property })].filter(Boolean).join(' ');
    const scalar = type !== 'array' && { examples: [example] };
    return { type, ...(words && { description: words }), ...property, ...more, ...scalar };
  });
};

const limit = ({ maxLength }: Json) => (maxLength === undefined ? '' : `At most ${maxLength} characters.`);
const orNull = (property: Json) => (isNullable(property) ? '`null` if there is none.' : '');
const { tags: tagList, ...scalars } = viewSchema.properties;
const tagSchema = check(z.looseObject({ properties: z.record(z.string(), AnySchema) }), tagList?.['items']);
const view = { ...scalars, tags: { ...tagList, items: ref('schemas/Tag') } };
const examples = { id: firstFile?.fileId, ...firstFile };
const { id: _, ...editableTexts } = base.fields.FileMetadata;

const schemas = {
  ...base.schemas,
  FilePatch: {
    type: 'object',
    ...base.schemas.FilePatch,
    ...patchSchema,
    properties: describe(patchSchema.properties, editableTexts, examples, limit),
  },
  FileMetadata: {
    type: 'object',
    ...base.schemas.FileMetadata,
    ...viewSchema,
    properties: describe(view, base.fields.FileMetadata, examples, orNull),
    dependentRequired: Object.fromEntries(
      optionalFields.map((name) => [name, optionalFields.filter((other) => other !== name)]),
    ),
  },
  Tag: {
    type: 'object',
    ...base.schemas.Tag,
    ...tagSchema,
    properties: describe(tagSchema.properties, base.fields.Tag, { ...firstFile?.tags[0] }, orNull),
  },
};

const errorCodes = statuses.map((status) => {
  const codes = codesOf(status);
  const description = base.errorCodes[status] ?? base.errorCodes.default;
  return [`ErrorCode${status}`, { description, schema: { type: 'string', enum: codes }, example: codes[0] }];
});
const body = { schema: ref('schemas/FilePatch'), examples: base.patches };
const { openapi, info, servers, tags, path, operation } = base;
const content = Object.fromEntries(acceptedMediaTypes.map((type) => [type, body]));
const requestBody = { ...base.requestBody, content };
const components = {
  securitySchemes: base.securitySchemes,
  parameters: base.parameters,
  headers: { ...base.headers, ...Object.fromEntries(errorCodes) },
  schemas,
};
const paths = { [path]: { patch: { ...operation, requestBody, responses } } };

const head = `# Written by \`npm run check -- --write\` from lib/, the demo data, and base.yaml and errors-by-check.ts of tools/description. Do not
# edit it. It stays in the repository for people, for /docs and for generators of clients.
`;
/** The text of openapi.yaml. */
export const openapiText =
  head +
  stringify(
    { openapi, info, servers, tags, paths, components },
    { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false },
  );
/** The schemas of a file and of a patch, as docs/contract.md lists their fields. */
export const fileSchemas = { view: viewSchema, patch: patchSchema };
