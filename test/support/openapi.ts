import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import * as z from 'zod';
import { propertyOf } from '#lib/domain/parse-data.ts';
import { projectRoot } from '#tools/project.ts';

const RefSchema = z.object({ $ref: z.string() });
const ParameterSchema = z.object({ in: z.string(), name: z.string() });
const OperationSchema = z.object({
  parameters: z.array(RefSchema),
  responses: z.record(
    z.string(),
    z.object({
      headers: z.record(z.string(), RefSchema).default({}),
      content: z.strictObject({
        'application/json': z.object({
          schema: RefSchema,
          // Without a value until `-u` has written it (test/documents/facts.test.ts).
          examples: z.record(z.string(), z.object({ value: z.unknown().optional() })).default({}),
        }),
      }),
    }),
  ),
});
const DocumentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({
    securitySchemes: z.record(z.string(), ParameterSchema),
    parameters: z.record(z.string(), ParameterSchema),
    schemas: z.looseObject({ FilePatch: z.object({ properties: z.record(z.string(), z.unknown()) }) }),
  }),
});

/** Whether this run writes openapi.yaml. Then the text below can be from before, and the next run compares it with the code. */
export const isWritten = process.env['WRITES_PAGES'] === 'true';
/** The text of openapi.yaml. */
export const openapiText = readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8');
/** All of openapi.yaml, as data. */
export const openapi: Record<string, unknown> = z.record(z.string(), z.unknown()).parse(parse(openapiText));

const { paths, components } = DocumentSchema.parse(openapi);
const described = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  ),
);
/** The operations, each as API Gateway names its route. */
export const operations: readonly string[] = [...described.keys()];
/** The operation of handlers/update-file.ts. */
export const updateRoute = 'PATCH /v1/spaces/{spaceId}/files/{fileId}';
const operationOf = (route: string) => {
  if (!described.has(route)) throw new Error(`openapi.yaml does not describe ${route}`);
  return OperationSchema.parse(described.get(route));
};
/** The headers that a request may have, except those about its body. */
export const headerParameters: readonly string[] = [
  ...Object.values(components.securitySchemes),
  ...operationOf(updateRoute).parameters.flatMap(({ $ref }) => components.parameters[basename($ref)] ?? []),
].flatMap((parameter) => (parameter.in === 'header' ? [parameter.name] : []));

/** The headers that a response of the function can have. OpenAPI describes content-type in another place. */
export const responseHeaders: readonly string[] = [
  'content-type',
  ...new Set(
    Object.values(operationOf(updateRoute).responses).flatMap(({ headers }) => Object.keys(headers)),
  ),
];

/** The messages of the errors that openapi.yaml has as examples of the update. */
export const exampleMessages = Object.values(operationOf(updateRoute).responses).flatMap(({ content }) =>
  Object.values(content['application/json'].examples).flatMap(({ value }) => {
    const message = propertyOf(value, 'message');
    return typeof message === 'string' ? [message] : [];
  }),
);

/** The schemas of the fields that a patch can set. */
export const patchProperties = components.schemas.FilePatch.properties;

const toMessages = (validate: ValidateFunction) =>
  (validate.errors ?? []).map(({ instancePath, message, params: { additionalProperty } }) =>
    additionalProperty === undefined
      ? `${instancePath}: ${message}`
      : `openapi.yaml does not have ${instancePath}/${additionalProperty}`,
  );

/** Clients must accept new fields. The tests do not: a field that is not described is a leak. */
const closedComponents = JSON.parse(JSON.stringify(openapi['components']), (_, value) =>
  value?.type === 'object' ? { ...value, additionalProperties: false } : value,
);

/**
 * Header values are strings: `coerceTypes` reads a number from one. The service does not check that an id is a UUID, and
 * tests have others.
 */
const createAjv = (coerceTypes: boolean) =>
  new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, coerceTypes, formats: { uuid: true } })
    .addVocabulary(['components'])
    .addSchema({ $id: 'openapi', components: closedComponents });
const bodyAjv = createAjv(false);
const headerAjv = createAjv(true);

/** Headers that only some responses of a status have. API Gateway may rename the last one (docs/contract.md, Responses). */
const sometimes = ['accept-encoding', 'accept-patch', 'idempotency-replayed', 'www-authenticate'];

const compileHeaders = (declared: Readonly<Record<string, { $ref: string }>>) => {
  const entries = Object.entries(declared);
  // The gateway's own responses have none of them, so the document does not require them under each status.
  const required = Object.keys(declared).filter((name) => !sometimes.includes(name));
  return headerAjv.compile({
    type: 'object',
    // The media type is the key of `content`, and not one of the headers of an OpenAPI document.
    properties: {
      'content-type': { const: 'application/json' },
      ...Object.fromEntries(entries.map(([name, { $ref }]) => [name, { $ref: `openapi${$ref}/schema` }])),
    },
    required: ['content-type', ...required],
    additionalProperties: false,
  });
};
/** The responses of an operation by their status. */
const compileResponses = (route: string) =>
  new Map(
    Object.entries(operationOf(route).responses).map(([status, { headers, content }]) => [
      Number(status),
      { headers, validateHeaders: compileHeaders(headers), schema: content['application/json'].schema.$ref },
    ]),
  );
const compiled = new Map<string, ReturnType<typeof compileResponses>>();
const responsesOf = (route: string) => {
  const responses = compiled.get(route) ?? compileResponses(route);
  compiled.set(route, responses);
  return responses;
};

/**
 * The differences between a value and a schema of openapi.yaml; none if the value is valid.
 *
 * @param $ref from the root of the document, for example `#/components/schemas/FileMetadata`
 */
export const schemaErrors = ($ref: string, value: unknown): readonly string[] => {
  const validate = bodyAjv.getSchema(`openapi${$ref}`);
  if (validate === undefined) return [`there is no ${$ref}`];
  return validate(value) ? [] : toMessages(validate);
};

/** A response with its body as parsed JSON. */
type JsonResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
};

/**
 * The differences between a response and openapi.yaml; none if the response is valid.
 *
 * @param route the operation that responded, as API Gateway names its route
 * @param extraHeaders whether the response may have headers that the document does not name
 */
export const responseErrors = (
  { status, headers, body }: JsonResponse,
  { route = updateRoute, extraHeaders = false } = {},
): readonly string[] => {
  const response = responsesOf(route).get(status);
  if (response === undefined) return [`openapi.yaml does not have the status ${status} of ${route}`];
  const { validateHeaders, schema } = response;
  const isChecked = (name: string) => !extraHeaders || name === 'content-type' || name in response.headers;
  const checked = Object.entries(headers).filter(([name]) => isChecked(name));
  const headerErrors = validateHeaders(Object.fromEntries(checked)) ? [] : toMessages(validateHeaders);
  return [...headerErrors, ...schemaErrors(schema, body)];
};
