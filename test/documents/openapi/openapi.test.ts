import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ApiError } from '#lib/domain/errors.ts';
import { editableFields, toFilePatch } from '#lib/domain/file-patch.ts';
import { acceptedMediaTypes, MAX_BODY_BYTES } from '#lib/http/read-file-patch.ts';
import * as headers from '#lib/http/request-headers.ts';
import { isWritten, openapi, openapiText, operations, schemaErrors } from '#test/support/openapi.ts';
import { runs } from '#test/support/runs.ts';
import { projectRoot } from '#tools/project.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';

/*
 * What ../facts.test.ts does not compare. `.ci/run` lints openapi.yaml, and the response of each test is compared with it
 * (test/support/contract.ts).
 */
const RuleSchema = z.looseObject({ maxLength: z.number().optional(), enum: z.array(z.unknown()).optional() });
const ComponentsSchema = z.object({
  parameters: z.record(z.string(), z.looseObject({ required: z.boolean() })),
  schemas: z.looseObject({ FilePatch: z.object({ properties: z.record(z.string(), RuleSchema) }) }),
});
const BodySchema = z.object({ description: z.string(), content: z.record(z.string(), z.unknown()) });
const RequestBodySchema = z
  .object({
    '/v1/spaces/{spaceId}/files/{fileId}': z.object({ patch: z.object({ requestBody: BodySchema }) }),
  })
  .transform((paths) => paths['/v1/spaces/{spaceId}/files/{fileId}'].patch.requestBody);
const { parameters, schemas } = ComponentsSchema.parse(openapi['components']);

test('openapi.yaml has the routes of serverless.yml, and no other', () => {
  const routes = readServerlessConfig().functions.map(({ routeKey }) => routeKey);
  expect(operations.toSorted()).toEqual(routes.toSorted());
});

test('openapi.yaml lists one media type of a request, and its text and docs/contract.md name each accepted one', () => {
  const { description, content } = RequestBodySchema.parse(openapi['paths']);
  expect(Object.keys(content)).toEqual(['application/json']);
  const contract = readFileSync(join(projectRoot, 'docs', 'contract.md'), 'utf8');
  const request = contract.split(/^## /m).find((section) => section.startsWith('Request\n'));
  const listed = `${Object.keys(content).map((type) => `\`${type}\``)} ${description}`;
  for (const type of acceptedMediaTypes) {
    expect(listed).toContain(`\`${type}\``);
    expect(request).toContain(`\`${type}\``);
  }
});

// Without an anchor, a part of the value is enough.
test('each pattern of openapi.yaml is for the whole value', () => {
  const patterns = [...openapiText.matchAll(/^ *pattern: (.*)$/gm)].map(([, pattern = '']) => pattern);
  expect(patterns.length).toBeGreaterThan(2);
  expect(patterns.filter((pattern) => !/^'?\^.*\$'?$/.test(pattern))).toEqual([]);
});

test('openapi.yaml names no internal attribute', () => {
  expect(openapiText).not.toMatch(
    /\b(requestId|updatedBy|keyHash|keyId|ownerId|tenantId|userId|revokedAt|expiresAt|createdAt|visibility)\b/,
  );
});

test('no optional parameter has a value that Swagger UI and Postman would send unasked', () => {
  const isPrefilled = (parameter: object) => /"(?:examples?|default)":/.test(JSON.stringify(parameter));
  const optional = Object.entries(parameters).filter(([, { required }]) => !required);
  expect(optional.map(([name, parameter]) => [name, isPrefilled(parameter)])).toEqual([
    ['IfMatch', false],
    ['IdempotencyKey', false],
  ]);
});

test('no line of a description begins like an item of a list, a heading or a quotation', () => {
  const blocks: string[] = [];
  JSON.stringify(openapi, (name, value) => {
    if (name === 'description' && typeof value === 'string')
      blocks.push(...(value.match(/^ *(?:\d+[.)]|[-+*>]|#+) .*/gm) ?? []));
    return value;
  });
  expect(blocks).toEqual([]);
});

/** The bytes of the largest value that a schema allows in JSON. What has no limit of its own counts as empty. */
const largest = (schema: unknown): number => {
  const { maxLength = 0, items, maxItems = 0, properties = {}, enum: listed = [] } = Object(schema);
  const ofText = String.raw`\ud83d\ude00`.length * maxLength + '""'.length;
  const ofList = items ? maxItems * (largest(items) + ','.length) + '[]'.length : 0;
  const ofObject = Object.entries(properties).map(([name, one]) => `"${name}":,`.length + largest(one));
  const ofListed = listed.map((value: unknown) => 6 * JSON.stringify(value).length);
  return Math.max(ofText, ofList, '{}'.length + ofObject.reduce((sum, bytes) => sum + bytes, 0), ...ofListed);
};

test('a body has room for all fields at their limits, with every character escaped', () => {
  expect(largest(schemas.FilePatch)).toBeLessThan(MAX_BODY_BYTES);
});

const isAccepted = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
};

const textOf = (...parts: string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((chosen) => chosen.join(''));
const ids = textOf('a', '!/|~-', 'é', '👋', 'x'.repeat(127), ' ', ',', '\t', '\0', '\u007f', '\u00a0');
const etagLists = textOf('*', '"', '""', '"1"', '"é!', 'W/"0"', ',W/"0"', 'w/', '0', ',', ' ', '\t', '👋');
/** Records of the fields that a patch can set, around the limits. */
const nearLimits = fc.record(
  Object.fromEntries(
    Object.entries(schemas.FilePatch.properties).map(([name, { maxLength = 0, enum: listed = [] }]) => {
      const texts = [0, 1, maxLength - 1, maxLength, maxLength + 1].map((length) =>
        '👋'.repeat(Math.max(0, length)),
      );
      return [name, fc.constantFrom(null, ...texts, ...listed)];
    }),
  ),
  { requiredKeys: [] },
);
// Each field once, and valid Unicode: JSON Schema cannot describe these two rules.
const patches = fc.record(
  Object.fromEntries([...editableFields, 'id', 'x'].map((name) => [name, fc.jsonValue()])),
  {
    requiredKeys: [],
  },
);

// HTTP removes white space around the value of a header.
const idempotencyKeys = textOf('k', '!+-.~'.repeat(25), '"', '\\', ' ', ',', 'é', '\t').map((key) =>
  key.trim(),
);

const isPatch = (value: unknown) => isAccepted(() => toFilePatch(JSON.stringify(value)));
const isId = (value: string) => {
  const fields = { 'x-user-id': value, 'x-tenant-id': value };
  return isAccepted(() => headers.readCallerIds(new Map(Object.entries(fields)), {}));
};
const isIdempotencyKey = (value: string) =>
  isAccepted(() => headers.readIdempotencyKey(new Map([['idempotency-key', value]])));
const isIfMatch = (value: string) => isAccepted(() => headers.readIfMatch(new Map([['if-match', value]])));

const expectSame = <Value>(part: string, values: fc.Arbitrary<Value>, isValid: (value: Value) => boolean) => {
  const property = fc.property(values, (value) => {
    expect(schemaErrors(`#/components/${part}`, value).length === 0).toBe(isValid(value));
  });
  fc.assert(property, runs(2_000));
};
test.skipIf(isWritten)('the schemas of openapi.yaml accept what the code accepts', () => {
  expectSame('schemas/FilePatch', nearLimits, isPatch);
  expectSame('schemas/FilePatch', fc.oneof(patches, fc.jsonValue()), isPatch);
  expectSame('schemas/CallerId', ids, isId);
  expectSame('parameters/IfMatch/schema', etagLists, isIfMatch);
  expectSame('parameters/IdempotencyKey/schema', idempotencyKeys, isIdempotencyKey);
});
