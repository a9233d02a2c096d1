import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { MAX_CHARACTERS, MAX_NAME_CHARACTERS, MAX_PROBLEMS, toFilePatch } from '#lib/domain/file-patch.ts';
import * as body from '#lib/http/read-file-patch.ts';
import * as headers from '#lib/http/request-headers.ts';
import { errorResponses } from '#lib/http/responses.ts';
import { expectContract } from '#test/support/contract.ts';
import * as document from '#test/support/openapi.ts';
import { outcomes } from '#test/support/outcomes.ts';
import { aResponse } from '#test/support/service.ts';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

const { openapi, openapiText, schemaErrors } = document;
const page = readFileSync(join(projectRoot, 'docs', 'contract.md'), 'utf8');

const rejectionOf = (read: () => unknown): string | undefined => {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? (error.details.message ?? error.code) : 'another error';
  }
};
const patchRejection = (json: string) => rejectionOf(() => toFilePatch(json, JSON.parse(json)));

/** The messages of `patch-invalid` have no table in the code: these bodies get them. */
const fieldMessages = [
  '{"summary":"a","summary":"b"}',
  '{"language":"de"}',
  '{"x":1}',
  '{"summary":1}',
  JSON.stringify({ summary: 'x'.repeat(MAX_CHARACTERS.summary + 1) }),
  String.raw`{"summary":"\ud83d"}`,
  JSON.stringify({ documentKind: 'x'.repeat(MAX_CHARACTERS.documentKind + 1) }),
  '{"tags":[],"summary":1}',
].map((json) => patchRejection(json) ?? `${json} is accepted`);
const fixed = Object.entries(errorResponses).filter(([code]) => code !== 'patch-invalid');

describe('openapi.yaml', () => {
  test('is a valid OpenAPI 3.1 document of the version of the package', async () => {
    expect(await new Validator().validate(openapi)).toStrictEqual({ valid: true });
    expect(openapi['info']).toMatchObject({ version: packageJson.version });
  });

  test('has the statuses, messages and media types of the code, and no other', () => {
    const expected = [
      ...fixed.map(([, { status, message }]) => `${status} ${message}`),
      ...fieldMessages.map((message) => `400 ${message}`),
      '429 Too Many Requests',
    ];
    const written = Object.keys(document.responses).flatMap((status) =>
      document.exampleMessages(Number(status)).map((message) => `${status} ${message}`),
    );
    expect([...new Set(written)].toSorted()).toEqual(expected.toSorted());
    expect(Object.keys(document.requestBody.content)).toEqual(body.acceptedMediaTypes);
  });

  test('has only valid examples', () => {
    const bodies = Object.values(document.responses).map(({ content }) => content['application/json']);
    for (const { schema, examples } of [...bodies, ...Object.values(document.requestBody.content)])
      for (const { value } of Object.values(examples)) expect(schemaErrors(schema.$ref, value)).toEqual([]);
    for (const [name, { example }] of Object.entries(document.parameters))
      expect(schemaErrors(`#/components/parameters/${name}/schema`, example)).toEqual([]);
  });

  test('names no internal attribute', () => {
    expect(openapiText).not.toMatch(
      /\b(requestId|updatedBy|keyHash|keyId|ownerId|tenantId|userId|revokedAt|expiresAt|createdAt|visibility)\b/,
    );
  });
});

test('docs/contract.md has the statuses, messages and headers of the code, row by row', () => {
  const row = /^\| `([a-z-]+)` \| .+ \| (\d{3}) \| (?:`(.+?)`|the file)(?:, with `(.+)`)? \|$/gm;
  const rows = [...page.matchAll(row)].map((cells) => cells.slice(1));
  const fixedRows = fixed.map(([code, { status, message, headers: more = {} }]) => {
    const header = code === 'file-changed' ? 'etag' : Object.keys(more)[0];
    return [code, `${status}`, message, header];
  });
  // Permission is checked twice: for the key, and for the space.
  const denied = fixedRows.filter(([code]) => code === 'permission-denied');
  const fields = fieldMessages.slice(0, 6).map((message) => ['patch-invalid', '400', message, undefined]);
  const updated = ['updated', '200', undefined, 'etag'];
  const sorted = (lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line)).toSorted();
  expect(sorted(rows)).toEqual(sorted([...fixedRows, ...denied, ...fields, updated]));
});

const { summary, documentKind } = MAX_CHARACTERS;
const { MAX_API_KEY_CHARACTERS: key, MAX_ETAGS: etags, MAX_ID_CHARACTERS: id } = headers;
const { MAX_BODY_BYTES: bytes, MAX_CONTENT_TYPE_CHARACTERS: type } = body;
const inYaml = [
  `At most ${summary} characters. maxLength: ${summary} `,
  `At most ${documentKind} characters. maxLength: ${documentKind} `,
  `compared exactly. It has at most ${id} characters .* maxLength: ${id} `,
  `at most ${key} characters of printable ASCII without a comma`,
  `parameters and at most ${type} characters`,
  `object of at most ${bytes} bytes.*the body has more than ${bytes} bytes`,
];
const onPage = [
  `\`summary\` \\(at most ${summary} characters\\), \`documentKind\` \\(at most ${documentKind}\\)`,
  `at most ${MAX_PROBLEMS}, joined by \`; \`, names cut at ${MAX_NAME_CHARACTERS} characters`,
  `compared exactly, at most ${id} characters`,
  `printable ASCII without a comma, at most ${key} characters`,
  `\`application/merge-patch\\+json\`, at most ${type} characters`,
  `or \`null\`; at most ${bytes} bytes.*the body has more than ${bytes} bytes`,
];
const promises = '409|/v2|at least six months|Deprecation|Sunset|at most once|last writer wins'.split('|');
test.each([
  ['openapi.yaml', openapiText, inYaml],
  ['docs/contract.md', page, onPage],
])('%s has the limits and the promises', (_, text, limits) => {
  const words = text.replaceAll(/\s+/g, ' ');
  const all = [...limits, ...promises, `a list of up to ${etags}\\.`];
  expect(all.filter((pattern) => !new RegExp(pattern).test(words))).toEqual([]);
});

// test/events.test.ts shows that the responses of the service are valid.
describe('a response with', () => {
  const file = Object(outcomes['updated']?.body);
  const etag = { etag: '"1"' };
  test.each<[string, number, object, Record<string, string>, string]>([
    ['another field', 200, { ...file, version: 1 }, etag, ': must NOT have additional properties'],
    ['a field of another type', 200, { ...file, language: 1 }, etag, '/language: must be string'],
    ['half of the detailed fields', 200, { ...file, chunksCount: undefined }, etag, ': must have properties'],
    ['no etag', 200, file, {}, ": must have required property 'etag'"],
    ['another header', 401, { message: 'Invalid API Key' }, etag, ': must NOT have additional properties'],
    ['a malformed header', 503, { message: '' }, { 'retry-after': 'soon' }, '/retry-after: must be integer'],
    ['another status', 409, { message: '' }, {}, 'status 409 is not documented'],
    ['another message', 404, { message: 'No such space' }, {}, '"No such space" is not documented'],
  ])('%s is not valid', (_, status, given, more, error) => {
    expect(() => expectContract(aResponse(status, given, more))).toThrow(error);
  });
});

const long = (field: 'summary' | 'documentKind', more: number) =>
  JSON.stringify({ [field]: '👋'.repeat(MAX_CHARACTERS[field] + more) });
// JSON Schema cannot describe a duplicate field and invalid Unicode.
const patches = ['{"summary":""}', '{"documentKind":null}', long('summary', 0), long('documentKind', 0)];
const wrongTypes = ['{}', '[]', 'null', '{"x":1}', '{"summary":"","tags":[]}', '{"summary":1}'];
const ids = ['grace', 'a/b|c', '0', 'é👋', 'x'.repeat(128), '👋'.repeat(128)];
const noIds = ['', ' ', 'a b', 'a,b', 'a\tb', 'a\u0000', 'a\u0085', '\u00a0', 'x'.repeat(129)];
const etagLists = ['*', ' * ', '"0"', 'W/"1"', '"a!b"', '"1", "2"', ',"1",, "2" ,', '"é"', '""'];
const malformed = ['', ' ', ',', '0', '"0', '"a b"', '*, "1"', '"1" "2"', 'w/"1"', '"1",x', '"👋"'];

const isPatch = (json: string) => patchRejection(json) === undefined;
const isId = (value: string) => {
  const given = { 'x-user-id': value, 'x-tenant-id': value };
  return rejectionOf(() => headers.readCallerIds(new Map(Object.entries(given)))) === undefined;
};
const isIfMatch = (value: string) =>
  headers.readIfMatch(new Map([['if-match', value]])).kind !== 'unreadable';
const parse = (json: string): unknown => JSON.parse(json);

describe.each([
  [
    'schemas/FilePatch',
    parse,
    isPatch,
    patches,
    [...wrongTypes, long('summary', 1), long('documentKind', 1)],
  ],
  ['schemas/CallerId', String, isId, ids, noIds],
  ['parameters/IfMatch/schema', String, isIfMatch, etagLists, malformed],
])('%s accepts what the code accepts', (part, toValue, isAccepted, good, bad) => {
  test.each([...good, ...bad])('%j', (text) => {
    const isValid = schemaErrors(`#/components/${part}`, toValue(text)).length === 0;
    expect([isValid, isAccepted(text)]).toEqual([good.includes(text), good.includes(text)]);
  });
});
