import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import * as patch from '#lib/domain/file-patch.ts';
import {
  acceptedMediaTypes,
  MAX_BODY_BYTES,
  MAX_CONTENT_TYPE_CHARACTERS,
} from '#lib/http/read-file-patch.ts';
import {
  MAX_API_KEY_CHARACTERS,
  MAX_ETAGS,
  MAX_ID_CHARACTERS,
  readCallerIds,
  readIfMatch,
} from '#lib/http/request-headers.ts';
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

/** The messages of `patch-invalid` have no table in the code: these bodies get them. */
const fieldMessages = [
  '{"summary":"a","summary":"b"}',
  '{"language":"de"}',
  '{"x":1}',
  '{"summary":1}',
  JSON.stringify({ summary: 'x'.repeat(patch.MAX_CHARACTERS.summary + 1) }),
  String.raw`{"summary":"\ud83d"}`,
  JSON.stringify({ documentKind: 'x'.repeat(patch.MAX_CHARACTERS.documentKind + 1) }),
  '{"tags":[],"summary":1}',
].map((json) => rejectionOf(() => patch.toFilePatch(json, JSON.parse(json))) ?? `${json} is accepted`);

const fixed = Object.entries(errorResponses).filter(([code]) => code !== 'patch-invalid');
const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();

describe('openapi.yaml', () => {
  test('is a valid OpenAPI 3.1 document of the version of the package', async () => {
    expect(await new Validator().validate(openapi)).toStrictEqual({ valid: true });
    const broken = { ...openapi, paths: { '/': { patch: { responses: { 200: {} } } } } };
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
    expect(openapi['info']).toMatchObject({ version: packageJson.version });
  });

  test('has the statuses, messages and media types of the code, and no other', () => {
    const expected = [
      ...fixed.map(([, { status, message }]) => `${status} ${message}`),
      ...fieldMessages.map((message) => `400 ${message}`),
      '429 Too Many Requests',
    ];
    const errors = Object.keys(document.responses).filter((status) => status !== '200');
    const written = errors.flatMap((status) =>
      document.exampleMessages(Number(status)).map((message) => `${status} ${message}`),
    );
    expect([...new Set(written)].toSorted()).toEqual(expected.toSorted());
    expect(Object.keys(document.requestBody.content)).toEqual(acceptedMediaTypes);
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
  const fixedRows = fixed.map(([code, { status, message, headers = {} }]) => {
    const header = code === 'file-changed' ? 'etag' : Object.keys(headers)[0];
    return [code, `${status}`, message, header];
  });
  // Permission is checked twice: for the key, and for the space.
  const denied = fixedRows.filter(([code]) => code === 'permission-denied');
  const fields = fieldMessages.slice(0, 6).map((message) => ['patch-invalid', '400', message, undefined]);
  const updated = ['updated', '200', undefined, 'etag'];
  expect(sorted(rows)).toEqual(sorted([...fixedRows, ...denied, ...fields, updated]));
});

const documents = { yaml: openapiText, page };
test.each([
  ['yaml', `At most ${patch.MAX_CHARACTERS.summary} characters. maxLength: ${patch.MAX_CHARACTERS.summary} `],
  ['page', `\`summary\` \\(at most ${patch.MAX_CHARACTERS.summary} characters\\)`],
  [
    'yaml',
    `At most ${patch.MAX_CHARACTERS.documentKind} characters. maxLength: ${patch.MAX_CHARACTERS.documentKind} `,
  ],
  ['page', `\`documentKind\` \\(at most ${patch.MAX_CHARACTERS.documentKind}\\)`],
  [
    'page',
    `at most ${patch.MAX_PROBLEMS}, joined by \`; \`, names cut at ${patch.MAX_NAME_CHARACTERS} characters`,
  ],
  [
    'yaml',
    `compared exactly. It has at most ${MAX_ID_CHARACTERS} characters .* maxLength: ${MAX_ID_CHARACTERS} `,
  ],
  ['page', `compared exactly, at most ${MAX_ID_CHARACTERS} characters`],
  ['yaml', `at most ${MAX_API_KEY_CHARACTERS} characters of printable ASCII without a comma`],
  ['page', `printable ASCII without a comma, at most ${MAX_API_KEY_CHARACTERS} characters`],
  ['yaml', `parameters and at most ${MAX_CONTENT_TYPE_CHARACTERS} characters`],
  ['page', `\`application/merge-patch\\+json\`, at most ${MAX_CONTENT_TYPE_CHARACTERS} characters`],
  ['yaml', `a list of up to ${MAX_ETAGS}\\.`],
  ['page', `a list of up to ${MAX_ETAGS}\\.`],
  ['yaml', `object of at most ${MAX_BODY_BYTES} bytes.*the body has more than ${MAX_BODY_BYTES} bytes`],
  ['page', `or \`null\`; at most ${MAX_BODY_BYTES} bytes.*the body has more than ${MAX_BODY_BYTES} bytes`],
  ...[
    '409',
    '/v2',
    'at least six months',
    'Deprecation',
    'Sunset',
    'at most once',
    'last writer wins',
  ].flatMap((words) => [['yaml', words] as const, ['page', words] as const]),
] as const)('%s says: %s', (name, pattern) => {
  expect(documents[name].replaceAll(/\s+/g, ' ')).toMatch(new RegExp(pattern));
});

describe('a response', () => {
  // test/events.test.ts shows that these are the responses of the running service.
  test.each(Object.entries(outcomes))('to %s is valid', (_, { status, body, headers }) => {
    const response = { status, headers: aResponse(status, body, headers).headers, body };
    expect(document.responseErrors(response)).toEqual([]);
  });

  const file = Object(outcomes['updated']?.body);
  const etag = { etag: '"1"' };
  test.each<[string, number, object, Record<string, string>, string]>([
    ['another field', 200, { ...file, version: 1 }, etag, ': must NOT have additional properties'],
    ['a field of another type', 200, { ...file, language: 1 }, etag, '/language: must be string'],
    ['half of the detailed fields', 200, { ...file, chunksCount: undefined }, etag, ': must have properties'],
    ['no etag', 200, file, {}, ": must have required property 'etag'"],
    ['another header', 401, { message: '' }, etag, ': must NOT have additional properties'],
    ['a malformed header', 503, { message: '' }, { 'retry-after': 'soon' }, '/retry-after: must be integer'],
    ['another status', 409, { message: '' }, {}, 'status 409 is not documented'],
  ])('with %s is not valid', (_, status, given, headers, error) => {
    const body: unknown = JSON.parse(JSON.stringify(given));
    const response = { status, headers: aResponse(status, body, headers).headers, body };
    expect(document.responseErrors(response).join()).toContain(error);
  });

  test('with another message is not valid', () => {
    const response = aResponse(404, { message: 'No such space' });
    expect(() => expectContract(response)).toThrow('"No such space" is not documented');
  });
});

describe('a request', () => {
  const bodyOf = (name: string): unknown => {
    const event = JSON.parse(readFileSync(join(projectRoot, 'events', `${name}.json`), 'utf8'));
    return JSON.parse(Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8').toString());
  };
  const updates = Object.keys(outcomes).filter((name) => outcomes[name]?.status === 200);
  // JSON Schema cannot describe a duplicate field and invalid Unicode.
  const rejected = ['patch-empty', 'field-not-editable', 'field-unknown', 'several-problems', 'body-array'];
  const unfit = ['summary-wrong-type', 'summary-too-long', 'document-kind-too-long', 'body-null'];
  test.each([...updates, ...rejected, ...unfit])('has a valid body if the code accepts it: %s', (name) => {
    const errors = schemaErrors('#/components/schemas/FilePatch', bodyOf(name));
    expect(errors.length === 0).toBe(updates.includes(name));
  });

  const ids = ['grace', 'a/b|c', '0', 'é👋', 'x'.repeat(128), '👋'.repeat(128)];
  const noIds = ['', ' ', 'a b', 'a,b', 'a\tb', 'a\u0000', 'a\u0085', '\u00a0', 'x'.repeat(129)];
  test.each([...ids, ...noIds])('has a valid user id if the code accepts it: %j', (id) => {
    const read = () => readCallerIds(new Map(Object.entries({ 'x-user-id': id, 'x-tenant-id': id })));
    const isValid = schemaErrors('#/components/schemas/CallerId', id).length === 0;
    const accepted = ids.includes(id);
    expect([rejectionOf(read) === undefined, isValid]).toEqual([accepted, accepted]);
  });

  const readable = ['*', ' * ', '"0"', 'W/"1"', '"a!b"', '"1", "2"', ',"1",, "2" ,', '"é"', '""'];
  const malformed = ['', ' ', ',', '0', '"0', '"a b"', '*, "1"', '"1" "2"', 'w/"1"', '"1",x', '"👋"'];
  test.each([...readable, ...malformed])('has a valid If-Match if the code accepts it: %j', (value) => {
    const { kind } = readIfMatch(new Map([['if-match', value]]));
    const isValid = schemaErrors('#/components/parameters/IfMatch/schema', value).length === 0;
    const accepted = readable.includes(value);
    expect([kind !== 'unreadable', isValid]).toEqual([accepted, accepted]);
  });
});
