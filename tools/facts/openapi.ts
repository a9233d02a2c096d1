import * as z from 'zod';
import { check, UsageError } from '#tools/cli.ts';
import type { Findings, Phrase } from './edits.ts';
import type { CodeFacts, ObjectSchema } from './facts.ts';
import { type Facts, findInYaml, ifThere, only, readYaml, sentence } from './yaml.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** What is read of openapi.yaml: bodies of a request, and the responses of each operation. */
const DocumentSchema = z.object({
  paths: z.record(z.string(), z.looseObject({})),
  components: z.object({
    examples: z.object({
      'set-and-clear': z.object({ value: z.unknown() }),
      'set-one': z.object({ value: z.unknown() }),
    }),
  }),
});
const OperationSchema = z.object({ responses: z.record(z.string(), z.unknown()).default({}) });
const ResponseSchema = z.object({
  content: z.object({
    'application/json': z.object({ examples: z.record(z.string(), z.unknown()) }),
  }),
});
type Document = z.infer<typeof DocumentSchema>;

const file = 'openapi.yaml';
const update = { path: '/v1/spaces/{spaceId}/files/{fileId}', method: 'patch' };
const ref = (path: string) => ({ $ref: `#/components/${path}` });
const mapValues = <From, To>(record: Readonly<Record<string, From>>, to: (value: From, key: string) => To) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]));

/** What people say of a schema (JSON Schema Validation, 7 and 9). All else is a rule, which only code can make true. */
const annotations =
  /^(?:title|description|default|deprecated|readOnly|writeOnly|examples|format|\$comment|x-.*)$/;

/**
 * The fields and the rules of an object.
 *
 * @param values of its fields, to show
 * @param limit the phrase for a limit in the description of a field
 */
const toSchema = (
  { properties, ...rules }: ObjectSchema,
  values: Readonly<Record<string, unknown>>,
  { limit, description }: { limit?: string; description?: Phrase } = {},
) => {
  const toField = ({ type, ...more }: ObjectSchema['properties'][string], name: string) => {
    if (!(name in values))
      throw new UsageError(`The first file of tools/tables/demo-data.json has no ${name}.`);
    const { maxLength } = more;
    const phrases = limit && typeof maxLength === 'number' ? [[limit, maxLength] as const] : [];
    const scalar = type !== 'array' && { examples: [values[name]] };
    return only({ type, description: sentence(phrases), ...more, ...scalar }, annotations);
  };
  const fields = only(mapValues(properties, toField));
  const words = sentence(description ? [description] : []);
  return only({ type: rules['type'], description: words, properties: fields, ...rules }, annotations);
};

const toSchemas = ({ patch, view, tag, values, limits }: CodeFacts): Facts => {
  const optional = Object.keys(view.properties).filter((name) => !view.required?.includes(name));
  const inCode = optional.map((name) => `\`${name}\``);
  const together = `${inCode.slice(0, -1).join(', ')} and ${inCode.at(-1)}`;
  const dependentRequired = optional.map((name) => [name, optional.filter((other) => other !== name)]);
  const tags = { ...view.properties['tags'], items: ref('schemas/Tag') };
  const file = {
    ...view,
    properties: { ...view.properties, tags },
    dependentRequired: only(Object.fromEntries(dependentRequired)),
  };
  return {
    CallerId: { description: sentence([['# characters', limits.callerId]]), maxLength: limits.callerId },
    // JSON Schema cannot be made from the code for this rule: patch-empty.
    FilePatch: toSchema({ ...patch, minProperties: 1 }, values.file, { limit: '# characters' }),
    FileMetadata: toSchema(file, values.file, { description: ['# are all present or all absent', together] }),
    Tag: toSchema(tag, values.tag),
  };
};

/** The name of a header among the components. `x-error-code` has one for each status. */
const componentOf = (header: string, status: string): string =>
  header === 'x-error-code'
    ? `ErrorCode${status}`
    : header.replace(/^x-/, '').replaceAll(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());

type Headers = Readonly<Record<string, string>>;
const toHeaders = (status: string, headers: Headers) =>
  only(
    mapValues({ 'x-request-id': '', ...headers }, (_, name) => ref(`headers/${componentOf(name, status)}`)),
  );

/** Error responses, by status. A response of API Gateway itself has no counterpart in the code. */
const toErrorResponses = (errors: CodeFacts['errors']) =>
  mapValues(
    Object.groupBy(errors, ({ status }) => `${status}`),
    (ofStatus = [], status) => {
      const examples = ofStatus.map(({ example, check: number, says, message }) => {
        const [phrases, start] =
          number === undefined ? [[], ''] : [[['Check #:', number] as const], `Check ${number}:`];
        return [example, { summary: sentence([...phrases, ...says], start), value: { message } }];
      });
      return {
        description: sentence([], ''),
        headers: toHeaders(status, Object.assign({}, ...ofStatus.map(({ headers }) => headers))),
        content: {
          'application/json': {
            schema: ref('schemas/ErrorResponse'),
            examples: only(Object.fromEntries(examples), /^gateway$/),
          },
        },
      };
    },
  );
/** The statuses of errors that no error has. Those that API Gateway responds have no headers of ours. */
const toOtherResponses = (responses: Readonly<Record<string, unknown>>) =>
  mapValues(responses, (_, status) =>
    Number(status) < 400
      ? {}
      : { content: { 'application/json': { examples: only({}, /^gateway$/) } }, headers: only({}) },
  );
/** The errors that people have listed for an operation. The numbers of its checks are theirs. */
const listedErrors = ({ errors }: CodeFacts, responses: Readonly<Record<string, unknown>>) =>
  errors
    .filter(({ status, example }) => {
      const { data } = ResponseSchema.safeParse(responses[status]);
      return data !== undefined && example in data.content['application/json'].examples;
    })
    .map((error) => ({ ...error, check: undefined }));

const toSuccess = (facts: CodeFacts, { components: { examples } }: Document) => ({
  headers: toHeaders('200', facts.headersOf200),
  content: {
    'application/json': {
      schema: ref('schemas/FileMetadata'),
      examples: {
        detailed: { value: only(facts.responseTo(examples['set-and-clear'].value, 0)) },
        basic: { value: only(facts.responseTo(examples['set-one'].value, 1)) },
      },
    },
  },
});

const toHeaderComponents = ({ errors, headersOf200 }: CodeFacts): Facts => {
  const { 'x-error-code': _, ...headers }: Headers = Object.assign(
    {},
    headersOf200,
    ...errors.map((error) => error.headers),
  );
  const codes = mapValues(
    Object.groupBy(errors, ({ status }) => `ErrorCode${status}`),
    (ofStatus = []) => [...new Set(ofStatus.map(({ code }) => code))],
  );
  return only(
    {
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          componentOf(name, ''),
          { description: sentence([], ''), schema: { const: ifThere(value) } },
        ]),
      ),
      ...mapValues(codes, (list) => ({
        description: sentence([], ''),
        schema: { type: 'string', enum: list },
        example: list[0],
      })),
    },
    /^(?!ErrorCode)/,
  );
};

const toUpdate = (facts: CodeFacts, document: Document) => ({
  requestBody: {
    description: sentence([
      ['# bytes', facts.limits.bodyBytes],
      ['# characters', facts.limits.contentType],
    ]),
    // Of two media types with one schema, generators of clients choose one in silence.
    content: only({ 'application/json': { schema: ref('schemas/FilePatch') } }),
  },
  responses: { 200: toSuccess(facts, document), ...toErrorResponses(facts.errors) },
});

/** All operations. The update has each error, and another operation those that people have listed for it. */
const toOperations = (facts: CodeFacts, document: Document): Facts =>
  mapValues(document.paths, (path, name) => {
    const written = Object.entries(path).filter(([method]) => methods.includes(method));
    return mapValues(Object.fromEntries(written), (operation, method) => {
      const { responses } = check(OperationSchema, operation ?? {});
      const isUpdate = name === update.path && method === update.method;
      const known = isUpdate
        ? toUpdate(facts, document)
        : { responses: toErrorResponses(listedErrors(facts, responses)) };
      return { ...known, responses: { ...toOtherResponses(responses), ...known.responses } };
    });
  });

/** Compares openapi.yaml with the code. */
export const findInOpenapi = (text: string, facts: CodeFacts): Findings => {
  const document = check(DocumentSchema, readYaml(file, text).data);
  const { apiKey, etags, idempotencyKey, recentWrites } = facts.limits;
  return findInYaml(file, text, {
    info: { version: facts.version },
    paths: toOperations(facts, document),
    components: {
      securitySchemes: { ApiKey: { description: sentence([['# characters', apiKey]]) } },
      parameters: {
        IfMatch: { description: sentence([['# etags', etags]]) },
        IdempotencyKey: {
          description: sentence([
            ['# characters', idempotencyKey],
            ['# updates', recentWrites],
          ]),
          schema: {
            // Without quotes, its first character is another one. With quotes, each character counts.
            pattern: sentence([
              ['{0,#}', idempotencyKey - 1],
              ['{1,#}', idempotencyKey],
            ]),
          },
        },
      },
      headers: toHeaderComponents(facts),
      schemas: toSchemas(facts),
    },
  });
};
