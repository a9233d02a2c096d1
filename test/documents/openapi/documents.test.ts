import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { FileViewSchema } from '#lib/domain/file.ts';
import { FilePatchSchema, MAX_NAME_CHARACTERS, MAX_PROBLEMS } from '#lib/domain/file-patch.ts';
import { createEventReader } from '#lib/http/event.ts';
import * as body from '#lib/http/read-file-patch.ts';
import * as headers from '#lib/http/request-headers.ts';
import { errorResponses } from '#lib/http/responses.ts';
import { allCases } from '#test/requests/cases/all.ts';
import { expectContract } from '#test/support/contract.ts';
import { anEvent } from '#test/support/event.ts';
import { aFileView } from '#test/support/given.ts';
import {
  errorCodes,
  exampleErrors,
  gatewayErrors,
  mediaTypes,
  openapi,
  openapiText,
  propertiesOf,
  schemaErrors,
} from '#test/support/openapi.ts';
import { aResponse, errors } from '#test/support/responses.ts';
import { runs } from '#test/support/runs.ts';
import { projectRoot } from '#tools/project.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };

const MAX_CHARACTERS = { summary: 10_000, documentKind: 256 };
const rejectionOf = (read: () => unknown): string | undefined => {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? (error.details.message ?? error.code) : 'another error';
  }
};
const patchRejection = (json: string) =>
  rejectionOf(() => body.readFilePatch(createEventReader([]).readEvent(anEvent({ body: json }))));

/** The messages of `patch-invalid` have no table in the code: these bodies get them. */
const fieldMessages = [
  '{"summary":"a","summary":"b"}',
  '{"id":"a"}',
  '{"x":1}',
  '{"summary":1}',
  String.raw`{"summary":"\ud83d"}`,
  '{"tags":[],"summary":1}',
  ...Object.entries(MAX_CHARACTERS).map(([name, max]) => JSON.stringify({ [name]: 'x'.repeat(max + 1) })),
].map((json) => patchRejection(json) ?? `${json} is accepted`);
const fixed = Object.entries(errorResponses).filter(([code]) => code !== 'patch-invalid');

// Its examples are checked by Redocly (.ci/run).
describe('openapi.yaml', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    expect(await new Validator().validate(openapi)).toStrictEqual({ valid: true });
  });

  test('has the statuses, messages and media types of the code, and no other', () => {
    const expected = [
      ...fixed.map(([, { status, message }]) => `${status} ${message}`),
      ...fieldMessages.map((message) => `400 ${message}`),
    ];
    expect([...new Set(exampleErrors)].toSorted()).toEqual(expected.toSorted());
    const codes = Object.entries(errorResponses).map(([code, { status }]) => `${status} ${code}`);
    expect(errorCodes.toSorted()).toEqual(codes.toSorted());
    expect(mediaTypes).toEqual(body.acceptedMediaTypes);
  });

  test('has the fields of the code', () => {
    expect(propertiesOf('FilePatch')).toEqual(Object.keys(FilePatchSchema.shape));
    expect(propertiesOf('FileMetadata')).toEqual(Object.keys(FileViewSchema.shape));
  });

  test('has the responses of API Gateway itself', () => {
    expect(gatewayErrors).toEqual([
      '400 Bad Request',
      '404 Not Found',
      '413 Request Entity Too Large',
      '429 Too Many Requests',
      '500 Internal Server Error',
      '503 Service Unavailable',
    ]);
  });

  test('names no internal attribute', () => {
    expect(openapiText).not.toMatch(
      /\b(requestId|updatedBy|keyHash|keyId|ownerId|tenantId|userId|revokedAt|expiresAt|createdAt|visibility)\b/,
    );
  });
});

const contractText = readFileSync(join(projectRoot, 'docs', 'contract.md'), 'utf8');
test('docs/contract.md has the status, message and header of each outcome', () => {
  const row = /^\| `([a-z-]+)` \| .+ \| (\d{3}) \| (?:`(.+?)`|the file)(?:, with `(.+)`)? \|$/gm;
  const documented = [...contractText.matchAll(row)].map(([, ...cells]) => cells.join(' | '));
  const responses = allCases.flatMap(({ steps }) => steps.map(([, expected]) => expected));
  const expected = responses.flatMap(({ status, code, message, gateway }) => {
    if (gateway) return [];
    if (code === undefined) return `updated | ${status} |  | etag`;
    return [code, status, message, Object.keys(errors[code].headers ?? {})].join(' | ');
  });
  // The page has examples of the messages about fields.
  const isFixed = (row: string) => !row.startsWith('patch-invalid');
  expect(new Set(documented.filter(isFixed))).toEqual(new Set(expected.filter(isFixed)));
  expect(expected).toEqual(expect.arrayContaining(documented));
});

const fileFields = Object.keys(FileViewSchema.shape);
const { spaceId: _, fileId: __, ...demoFile } = demo.files[0] ?? {};
test.each([
  ['aFile() in test/support/given.ts', aFileView(), fileFields],
  ['the first file of tools/tables/demo-data.json', { id: '', ...demoFile }, fileFields],
])('%s has the fields of the code, in their order', (_, given, names) => {
  expect(Object.keys(given)).toEqual(names);
});

test('test/support/responses.ts has the messages of the code', () => {
  const messagesOf = (responses: typeof errors) =>
    Object.entries(responses).flatMap(([code, { message }]) => (code === 'patch-invalid' ? [] : [message]));
  expect(messagesOf(errors)).toEqual(messagesOf(errorResponses));
});

test('docs/contract.md names each field of a file', () => {
  const [, section = ''] = /^## File$(.*?)^## /ms.exec(contractText) ?? [];
  expect(fileFields.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

test('a body has room for all fields at their limits, with every character escaped', () => {
  const escaped = Object.entries(MAX_CHARACTERS).map(
    ([name, max]) => `"${name}":"${String.raw`\ud83d\ude00`.repeat(max)}"`,
  );
  expect(`{${escaped.join()}}`.length).toBeLessThan(body.MAX_BODY_BYTES);
});

const { summary, documentKind } = MAX_CHARACTERS;
const { MAX_API_KEY_CHARACTERS: key, MAX_ETAGS: etags, MAX_ID_CHARACTERS: id } = headers;
const { MAX_BODY_BYTES: bytes, MAX_CONTENT_TYPE_CHARACTERS: type } = body;
const inYaml = [
  ...Object.values(MAX_CHARACTERS).map((max) => `At most ${max} characters. maxLength: ${max} `),
  `compared exactly. It has at most ${id} characters .* maxLength: ${id} `,
  `at most ${key} characters of printable ASCII without a comma`,
  `parameters and at most ${type} characters`,
  `object of at most ${bytes} bytes.*the body has more than ${bytes} bytes`,
];
const onPage = [
  ...Object.entries(MAX_CHARACTERS).map(([name, max]) => `\`${name}\` \\(at most ${max}( characters)?\\)`),
  `at most ${MAX_PROBLEMS}, joined by \`; \`, names cut at ${MAX_NAME_CHARACTERS} characters`,
  `compared exactly, at most ${id} characters`,
  `printable ASCII without a comma, at most ${key} characters`,
  `\`application/merge-patch\\+json\`, at most ${type} characters`,
  `The body has at most ${bytes} bytes.*the body has more than ${bytes} bytes`,
];
const promises = [
  '409',
  '/v2',
  'at least six months',
  'Deprecation',
  'Sunset',
  'at most once',
  'last writer wins',
  'ny response, also an error, may gain a field or a header. A client must ignore the ones that it does not know',
];
const list = `a list of up to ${etags}\\.`;
test.each([
  ['openapi.yaml has the limits', openapiText, [...inYaml, list]],
  ['docs/contract.md has the limits and the promises', contractText, [...onPage, list, ...promises]],
])('%s', (_, text, patterns) => {
  const words = text.replaceAll(/\s+/g, ' ');
  expect(patterns.filter((pattern) => !new RegExp(pattern).test(words))).toEqual([]);
});

// test/requests/events.test.ts shows that the responses of the service are valid.
describe('a response with', () => {
  const file = aFileView();
  const etag = { etag: '"1"' };
  const isChanged = { 'x-error-code': 'file-changed' };
  test.each<[string, number, object, Record<string, string>, string]>([
    ['another field', 200, { ...file, version: 1 }, etag, 'openapi.yaml does not have /version'],
    ['a field of another type', 200, { ...file, language: 1 }, etag, '/language: must be string'],
    ['half of the detailed fields', 200, { ...file, chunksCount: undefined }, etag, ': must have properties'],
    ['no etag', 200, file, {}, ": must have required property 'etag'"],
    ['no error code', 401, { message: 'Invalid API Key' }, {}, "must have required property 'x-error-code'"],
    ['the code of another status', 404, { message: 'Space not found' }, isChanged, 'must be equal to one of'],
    ['another header', 401, { message: 'Invalid API Key' }, etag, 'openapi.yaml does not have /etag'],
    ['a malformed header', 503, { message: '' }, { 'retry-after': 'soon' }, '/retry-after: must be integer'],
    ['another status', 409, { message: '' }, {}, 'openapi.yaml does not have the status 409'],
    ['another message', 404, { message: 'No such space' }, {}, 'does not have the message "No such space"'],
  ])('%s is not valid', (_, status, given, more, error) => {
    expect(() => expectContract(aResponse(status, given, more))).toThrow(error);
  });
});

const textOf = (...parts: string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((chosen) => chosen.join(''));
const ids = textOf('a', '!/|~-', 'é', '👋', 'x'.repeat(127), ' ', ',', '\t', '\0', '\u007f', '\u00a0');
const etagLists = textOf('*', '"', '""', '"1"', '"é!', 'W/"0"', ',W/"0"', 'w/', '0', ',', ' ', '\t', '👋');
const values = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(summary, summary + 1, documentKind, documentKind + 1).map((length) => '👋'.repeat(length)),
);
// Each field once, and valid Unicode: JSON Schema cannot describe these two rules.
const patches = fc.record(
  { summary: values, documentKind: values, tags: fc.constant([]), x: values },
  { requiredKeys: [] },
);

// HTTP removes white space around the value of a header.
const idempotencyKeys = textOf('k', '!+-.~'.repeat(25), '"', '\\', ' ', ',', 'é', '\t').map((key) =>
  key.trim(),
);

const isPatch = (value: unknown) => patchRejection(JSON.stringify(value)) === undefined;
const isId = (value: string) => {
  const given = { 'x-user-id': value, 'x-tenant-id': value };
  return rejectionOf(() => headers.readCallerIds(new Map(Object.entries(given)), {})) === undefined;
};
const isIdempotencyKey = (value: string) =>
  rejectionOf(() => headers.readIdempotencyKey(new Map([['idempotency-key', value]]))) === undefined;
const isIfMatch = (value: string) =>
  rejectionOf(() => headers.readIfMatch(new Map([['if-match', value]]))) === undefined;

const expectSame = <Value>(
  part: string,
  values: fc.Arbitrary<Value>,
  isAccepted: (value: Value) => boolean,
) => {
  const property = fc.property(values, (value) => {
    expect(schemaErrors(`#/components/${part}`, value).length === 0).toBe(isAccepted(value));
  });
  fc.assert(property, runs(2_000));
};
test('the schemas of openapi.yaml accept what the code accepts', () => {
  expectSame('schemas/FilePatch', fc.oneof(patches, fc.jsonValue()), isPatch);
  expectSame('schemas/CallerId', ids, isId);
  expectSame('parameters/IfMatch/schema', etagLists, isIfMatch);
  expectSame('parameters/IdempotencyKey/schema', idempotencyKeys, isIdempotencyKey);
});
