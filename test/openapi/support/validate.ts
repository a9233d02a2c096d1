import { Ajv2020 } from 'ajv/dist/2020.js';
import { components, responseOf } from './document.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A schema with its references to other components by their bare names. */
const byName = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));

const schemas = Object.fromEntries(
  Object.entries(components.schemas).map(([name, schema]) => [name, byName(schema)]),
);
const options = { strict: true, allowUnionTypes: true, allErrors: true, schemas };
const bodies = new Ajv2020(options);
/** Headers are text: a number in one is written out. */
const headerFields = new Ajv2020({ ...options, coerceTypes: true });

/** What is wrong with a value by a schema of the document; nothing when it fits. */
export const problemsOf = (schema: Schema, value: unknown): readonly string[] => {
  const validate = bodies.compile(byName(schema));
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
};

const headerName = ($ref: string) => $ref.replace('#/components/headers/', '');

/** What is wrong with the headers of an answer; the media type is the document's key and not one of its headers. */
export const headerProblemsOf = (status: number, headers: Record<string, string>): readonly string[] => {
  const { 'content-type': _, ...rest } = headers;
  const declared = Object.entries(responseOf(status)?.headers ?? {}).map(([name, { $ref }]) => {
    const header = components.headers[headerName($ref)];
    return { name, schema: header?.schema ?? false, required: header?.required ?? false };
  });
  const validate = headerFields.compile({
    type: 'object',
    properties: Object.fromEntries(declared.map(({ name, schema }) => [name, schema])),
    required: declared.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  });
  validate({ ...rest });
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
};
