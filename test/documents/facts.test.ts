import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { isMap, type Pair, parseDocument } from 'yaml';
import * as z from 'zod';
import { ApiKeyRecordSchema, roles, updateFiles } from '#lib/domain/api-key.ts';
import { ApiError, type ErrorCode } from '#lib/domain/errors.ts';
import { FileIdentitySchema, FileRecordSchema, FileViewSchema, toFileView } from '#lib/domain/file.ts';
import { FilePatchSchema, MAX_NAME_CHARACTERS, MAX_PROBLEMS, toFilePatch } from '#lib/domain/file-patch.ts';
import { SpaceRecordSchema } from '#lib/domain/space.ts';
import { MAX_VALUE_CHARACTERS } from '#lib/http/log-line.ts';
import * as body from '#lib/http/read-file-patch.ts';
import * as headers from '#lib/http/request-headers.ts';
import { errorResponse, errorResponses, fileResponse } from '#lib/http/responses.ts';
import { MIN_FREE_BYTES, RECENT_WRITE_ATTRIBUTES, RECENT_WRITES } from '#lib/store/recent-writes.ts';
import { MAX_KEY_BYTES } from '#lib/store/storable-id.ts';
import { updateExpression } from '#lib/store/update-expression.ts';
import { MAX_CONFLICTS, MAX_VERSION_AHEAD_MS } from '#lib/store/update-file.ts';
import { MAX_REQUEST_MS, PRIME_TIMEOUT_MS, RESERVED_MS } from '#lib/times.ts';
import { unknownField } from '#test/support/fixtures.ts';
import { isWritten, openapi, openapiText, operations, responseErrors } from '#test/support/openapi.ts';
import { expectSentence, partOf, read } from '#test/support/pages.ts';
import { errors as responses } from '#test/support/responses.ts';
import { projectRoot } from '#tools/project.ts';
import { DAYS_KEPT } from '#tools/tables/api-key.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };

/*
 * Compares openapi.yaml and docs/contract.md with what the code knows: fields, limits, errors, examples. A test that fails
 * shows the lines to change, and `npx vitest run test/documents -u` writes them, even a wrong limit or field, so read the diff.
 * Of an error, docs/contract.md has status, message and headers by hand: the code must fit them, and -u writes none of them
 * there. TODO marks a text that people must write. With -u, checks that only people can satisfy are skipped.
 */

/**
 * A body for each message of patch-invalid, under the name of its example, with the message, in which N is any number. A new
 * rule for a value needs one here. The messages of the other errors are those of docs/contract.md.
 */
const bodies = {
  'duplicate-field': ['{"summary":"a","summary":"b"}', 'Duplicate field "summary"'],
  'field-not-editable': ['{"id":"a"}', 'Field "id" is not editable'],
  'field-unknown': ['{"x":1}', unknownField('x')],
  'wrong-type': ['{"summary":1}', 'summary must be a string or null'],
  'too-long': [JSON.stringify({ summary: 'x'.repeat(100_000) }), 'summary must be at most N characters'],
  'invalid-unicode': [String.raw`{"summary":"\ud83d"}`, 'summary contains invalid Unicode'],
  'several-problems': [
    '{"tags":[],"summary":1}',
    'Field "tags" is not editable; summary must be a string or null',
  ],
} as const;

/** Numbers are limits, which -u writes. */
const withoutNumbers = (text: string) => text.replaceAll(/\d+/g, 'N');

/** The headers that each error has. */
const standard = ['content-type', 'cache-control', 'x-content-type-options', 'x-error-code'];

/** The number of the check of each error, in the order of the checks. */
const checks: Readonly<Record<ErrorCode | 'space-is-private', number | undefined>> = {
  'user-id-missing': 1,
  'user-id-invalid': 1,
  'tenant-id-missing': 1,
  'tenant-id-invalid': 1,
  'api-key-invalid': 2,
  'permission-denied': 3,
  'content-type-unsupported': 4,
  'content-encoding-unsupported': 4,
  'body-too-large': 4,
  'body-missing': 4,
  'body-not-json': 4,
  'body-not-object': 4,
  'patch-empty': 4,
  'patch-invalid': 4,
  'space-not-found': 5,
  'space-is-private': 5,
  'idempotency-key-invalid': 6,
  'if-match-invalid': 6,
  'file-not-found': 6,
  'idempotency-key-reused': 6,
  'file-changed': 6,
  'file-too-large': 6,
  unavailable: undefined,
  'internal-error': undefined,
};
const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as Key[];
const errorOf = (body: string): unknown => {
  try {
    return toFilePatch(body);
  } catch (error) {
    return error;
  }
};

/** Each example of an error in openapi.yaml, in the order of the checks, with its response. */
const errors = keysOf(checks).flatMap((key) => {
  const code = key === 'space-is-private' ? 'permission-denied' : key;
  const thrown = new ApiError(code, { reason: '', ...(code === 'file-changed' && { version: 0 }) });
  const examples =
    code === 'patch-invalid'
      ? Object.entries(bodies).map(([name, [body, form]]) => ({ name, error: errorOf(body), form }))
      : [{ name: key, error: thrown, form: responses[code].message }];
  const promised = { code, status: responses[code].status, own: Object.keys(responses[code].headers) };
  return examples.map(({ name, error, form }) => {
    const response = errorResponse(error);
    const { message } = z.object({ message: z.string() }).parse(JSON.parse(response.body));
    const { statusCode: status, headers: sent } = response;
    const own = Object.keys(sent).filter((header) => !standard.includes(header));
    const isMistaken =
      !isDeepStrictEqual({ code: sent['x-error-code'], status, own }, promised) ||
      withoutNumbers(message) !== withoutNumbers(form);
    return {
      name,
      check: checks[key],
      status: `${response.statusCode}`,
      code,
      message,
      own,
      response,
      isMistaken,
    };
  });
});
/**
 * Errors that are not as tests say by hand, or have no place there. The code is wrong then, or these tests, and not the
 * documents: -u would take a row from docs/contract.md.
 */
const mistaken = [
  ...keysOf(errorResponses).flatMap((code) =>
    code in checks
      ? []
      : [`test/documents/facts.test.ts: give ${code} the number of its check, in \`checks\``],
  ),
  ...errors
    .filter(({ isMistaken }) => isMistaken)
    .map(({ name, code, response }) => {
      const file = code === 'patch-invalid' ? 'test/documents/facts.test.ts' : 'docs/contract.md';
      const { statusCode, headers: sent, body } = response;
      return `${file} has another ${name} than the code: ${statusCode} ${JSON.stringify(sent)} ${body}`;
    }),
];
const success = fileResponse({ file: toFileView(demo.files[0]), version: 0, replayed: true });

test.skipIf(isWritten)('openapi.yaml describes each response', () => {
  const all = [{ name: 'updated', response: success }, ...errors];
  const wrong = all.flatMap(({ name, response: { statusCode: status, headers: sent, body: json } }) => {
    const response = { status, headers: { ...sent, 'x-request-id': '1' }, body: JSON.parse(json) };
    return responseErrors(response).map((problem) => `${name}: ${problem}`);
  });
  expect(wrong).toEqual([]);
});

const MappingSchema = z.record(z.string(), z.unknown()).catch({});
type Mapping = z.infer<typeof MappingSchema>;
/** A mapping of openapi.yaml, for example `components.schemas`. It is empty if the document does not have it. */
const at = (path: string): Mapping =>
  MappingSchema.parse(path.split('.').reduce<unknown>((value, key) => Object(value)[key], openapi));

/** The rules of a patch that a client cannot read in openapi.yaml, by field and message. */
const untold: string[] = [];
const ObjectSchema = z.looseObject({ properties: z.record(z.string(), z.looseObject({})) });
/** The JSON Schema of an object. What a client sends is closed, and what it gets may gain fields. */
const toJsonSchema = (schema: z.core.$ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...generated } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema, path: [, field] }) => {
      // JSON Schema counts code points, as the checks of the code do. z.maxLength would count UTF-16 code units.
      for (const { _zod } of zodSchema._zod.def.checks ?? []) {
        const params: unknown = Reflect.get(_zod.def, 'params');
        Object.assign(jsonSchema, params);
        // zod itself knows the form of its other checks.
        const isTold = params !== undefined || !['custom', 'overwrite'].includes(_zod.def.check);
        const error: unknown = Reflect.get(_zod.def, 'error');
        if (io === 'input' && !isTold) untold.push(`${field} ${typeof error === 'function' && error({})}`);
      }
      // Generators read a list of types better than `anyOf`.
      const [inner, other] = jsonSchema.anyOf ?? [];
      if (inner && other?.type === 'null') {
        const values = inner.enum && { enum: [...inner.enum, null] };
        Object.assign(jsonSchema, inner, { type: [inner.type, 'null'], ...values });
        delete jsonSchema.anyOf;
      }
      if (io === 'output' && jsonSchema.type === 'object') jsonSchema.additionalProperties = true;
      // Defaults are those of stored records. The bounds are those of each safe integer.
      delete jsonSchema.default;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return ObjectSchema.parse(generated);
};
const patch = toJsonSchema(FilePatchSchema, 'input');
const view = toJsonSchema(FileViewSchema, 'output');
const tag = ObjectSchema.parse(view.properties['tags']?.['items']);
const optional = Object.keys(view.properties).filter((name) => !Object(view['required']).includes(name));

const ref = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });
/** What people say of a schema. All else is a rule, which only code can make true. */
const isWords = ([key]: readonly [string, unknown]) =>
  /^(?:title|description|deprecated|format|x-.*)$/.test(key);
/** A schema with the words that openapi.yaml has for it. */
const withWords = (path: string, { type, ...rules }: Mapping) => {
  const words = Object.fromEntries(Object.entries(at(path)).filter(isWords));
  return { type, description: 'TODO', ...words, ...rules };
};
/** The schema of an object. The examples of its fields are values of the demo data. */
const toSchema = (
  name: string,
  { properties, ...rules }: z.infer<typeof ObjectSchema>,
  values: object = {},
) => {
  const path = `components.schemas.${name}`;
  const fields = Object.entries(properties).map(([field, { items, ...rule }]) => {
    const rest = items ? { items: ref('Tag') } : { examples: [Object(values)[field]] };
    return [field, withWords(`${path}.properties.${field}`, { ...rule, ...rest })];
  });
  const { type, ...others } = rules;
  return withWords(path, { type, properties: Object.fromEntries(fields), ...others });
};

const [detailed, basic] = demo.files;
const requests = Object.entries(at('components.examples'));
/** The examples of a request that the code rejects, with its message. */
const rejected = requests.flatMap(([name, example]) => {
  const error = errorOf(JSON.stringify(Object(example).value));
  return error instanceof ApiError ? [`${name}: ${error.details.clientMessage ?? error.code}`] : [];
});
/** An example of a response: a file of the demo data after an example of a request. */
const toExample = (written: unknown, file: object | undefined, request: string) => {
  const fields = errorOf(JSON.stringify(at(`components.examples.${request}`)['value']));
  if (fields instanceof Error) return written;
  return { ...Object(written), value: toFileView({ ...file, ...Object(fields) }) };
};

const updatePath = 'paths./v1/spaces/{spaceId}/files/{fileId}.patch';
const inJson = 'content.application/json.examples';
const statuses = [...new Set(errors.map(({ status }) => status))];

const contract = read('docs/contract.md');
const plain = (cell: string) => cell.replaceAll('`', '');
const cellsOf = (row: string): readonly string[] => row.slice('| '.length, -' |'.length).split(' | ');
/** When a request gets an error, in the words of its example. Those of a new error are in its row of docs/contract.md. */
const wordsOf = (example: unknown, { code, message }: (typeof errors)[number]): string => {
  const rows = contract.split('\n').map((row) => cellsOf(plain(row)));
  const row = rows.find(([first, , , last]) => first === code && last?.startsWith(message));
  return `${Object(example).summary ?? row?.[1] ?? 'TODO'}`.replace(/^Check \d+: /, '');
};
/** The examples of the errors of a status. That of API Gateway itself is not from the code. */
const toExamples = (known: typeof errors) => (written: Mapping) => {
  const examples = known.map((error) => {
    const { name, check, message } = error;
    const number = check === undefined ? '' : `Check ${check}: `;
    return [name, { summary: number + wordsOf(written[name], error), value: { message } }];
  });
  const ofGateway = Object.entries(written).filter(([name]) => name === 'gateway');
  return Object.fromEntries([...examples, ...ofGateway]);
};
/** A response with a new status. Its standard headers are those that each operation has with its 500. */
const toResponse = (responses: string, status: string, known: typeof errors) => ({
  description: 'TODO',
  headers: {
    ...at(`${responses}.500.headers`),
    'x-error-code': { $ref: `#/components/headers/ErrorCode${status}` },
  },
  content: { 'application/json': { schema: ref('ErrorResponse'), examples: toExamples(known)({}) } },
});
/** The update has each error. Another operation has those that people have listed for it. */
const errorPlaces = operations.flatMap((operation) => {
  const [method = '', path] = operation.split(' ');
  const responses = `paths.${path}.${method.toLowerCase()}.responses`;
  const isUpdate = responses.startsWith(updatePath);
  const written = Object.keys(at(responses)).filter((status) => Number(status) >= 400);
  return [...new Set([...written, ...(isUpdate ? statuses : [])])].map((status) => {
    const examples = `${responses}.${status}.${inJson}`;
    const known = errors.filter((one) => one.status === status && (isUpdate || one.name in at(examples)));
    return written.includes(status)
      ? ([examples, toExamples(known)] as const)
      : ([`${responses}.${status}`, () => toResponse(responses, status, known)] as const);
  });
});
const codePlaces = statuses.map((status) => {
  const codes = [...new Set(errors.filter((one) => one.status === status).map(({ code }) => code))];
  const known = { schema: { type: 'string', enum: codes }, example: codes[0] };
  const toKnown = (written: Mapping) => ({ description: 'TODO', ...written, ...known });
  return [`components.headers.ErrorCode${status}`, toKnown] as const;
});

/** Mappings of openapi.yaml, and what the code makes of each one. Words stay as they are written there. */
const places: Readonly<Record<string, (written: Mapping) => unknown>> = {
  info: (written) => ({ ...written, version: packageJson.version }),
  [`${updatePath}.requestBody`]: (written) => ({
    ...written,
    required: errors.some(({ code }) => code === 'body-missing'),
  }),
  [`${updatePath}.responses.200.${inJson}`]: (written) => ({
    detailed: toExample(written['detailed'], detailed, 'set-and-clear'),
    basic: toExample(written['basic'], basic, 'set-one'),
  }),
  ...Object.fromEntries([...errorPlaces, ...codePlaces]),
  'components.schemas.CallerId': (written) => ({ ...written, maxLength: headers.MAX_ID_CHARACTERS }),
  // JSON Schema cannot be made from the code for this rule: patch-empty.
  'components.schemas.FilePatch': () => ({ ...toSchema('FilePatch', patch, detailed), minProperties: 1 }),
  'components.schemas.FileMetadata': () => ({
    ...toSchema('FileMetadata', view, { ...detailed, id: detailed?.fileId }),
    dependentRequired: Object.fromEntries(
      optional.map((name) => [name, optional.filter((other) => other !== name)]),
    ),
  }),
  'components.schemas.Tag': () => toSchema('Tag', tag, detailed?.tags[0]),
};

/** A key as a name and a number: `ErrorCode423`, `423`. */
const partsOf = ({ key }: Pair) => ({
  name: `${key}`.replace(/\d+$/, ''),
  number: Number(/\d+$/.exec(`${key}`)?.[0]),
});
/** Puts the last pair of a mapping, which is new, before the first pair of its kind with a higher number. */
const putInOrder = (pairs: Pair[]) => {
  const [added] = pairs.splice(-1);
  if (!added) return;
  const { name, number } = partsOf(added);
  const next = pairs.findIndex((pair) => partsOf(pair).name === name && partsOf(pair).number > number);
  pairs.splice(next < 0 ? pairs.length : next, 0, added);
};

const correctOpenapi = () => {
  const document = parseDocument(openapiText);
  const stale = Object.keys(places).filter((path) => !isDeepStrictEqual(at(path), places[path]?.(at(path))));
  for (const path of stale) {
    const keys = path.split('.');
    const isNew = !document.hasIn(keys);
    document.setIn(keys, document.createNode(places[path]?.(at(path))));
    const mapping = document.getIn(keys.slice(0, -1));
    if (isNew && isMap(mapping)) putInOrder(mapping.items);
  }
  return stale.length === 0 ? openapiText : document.toString({ lineWidth: 0, singleQuote: true });
};

const inCode = (text: string) => `\`${text}\``;
/** A type in words: `string of at most 256 characters or null`. */
const typeOf = (schema: unknown): string => {
  const { type, enum: values, items, properties, maxLength, maxItems, pattern } = Object(schema);
  const [first, ...more] = [type].flat();
  let single = `${first}${maxLength === undefined ? '' : ` of at most ${maxLength} characters`}`;
  if (pattern) single += ` that matches ${inCode(pattern.replaceAll('|', String.raw`\|`))}`;
  if (values) single = `one of ${values.filter((value: unknown) => value !== null).join(', ')}`;
  if (items)
    single = `list of ${typeOf(items)}${maxItems === undefined ? '' : `, at most ${maxItems} of them`}`;
  if (properties) single = `\`{${Object.keys(properties).join(', ')}}\``;
  return [single, ...more].join(' or ');
};
const errorRows = errors.map((error) => {
  const { name, status, code, message, own } = error;
  const when = wordsOf(at(`${updatePath}.responses.${status}.${inJson}`)[name], error);
  return [
    inCode(`${code}`),
    when,
    status,
    inCode(message) + own.map((one) => `, with ${inCode(one)}`).join(''),
  ];
});
/** The tables of docs/contract.md, by their heads. The words about errors are those of openapi.yaml, with names in code. */
const tables: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '| part of a request | at most | rules |': [
    ['`x-api-key`', `${headers.MAX_API_KEY_CHARACTERS} characters`],
    ['`x-tenant-id`, `x-user-id`', `${headers.MAX_ID_CHARACTERS} characters`],
    ['`spaceId`, `fileId`', `${MAX_KEY_BYTES} bytes in UTF-8`],
    ['`content-type`', `${body.MAX_CONTENT_TYPE_CHARACTERS} characters`],
    ['`if-match`', `${headers.MAX_ETAGS} etags`],
    ['`idempotency-key`, without quotes', `${headers.MAX_IDEMPOTENCY_KEY_CHARACTERS} characters`],
    ['body', `${body.MAX_BODY_BYTES} bytes`],
  ],
  '| code | when | status | message |': errorRows.toSpliced(-2, 0, [
    '`updated`',
    'all checks pass',
    '200',
    'the file, with `etag`',
  ]),
  '| field | in a response | in a patch |': Object.entries(view.properties).map(([name, schema]) => [
    inCode(name),
    `${typeOf(schema)}${optional.includes(name) ? ', or absent' : ''}`,
    name in patch.properties ? typeOf(patch.properties[name]) : 'read-only',
  ]),
};

/** The cells that people have written beside those of the code, in the row that begins with the same one. */
const cellsBeside = ([first, ...others]: readonly string[], written: readonly string[]) =>
  written
    .map(cellsOf)
    .find(([cell]) => cell === first)
    ?.slice(1 + others.length) ?? [];
/** A cell of the page can have more names in code than a cell of the code. */
const correctContract = () =>
  Object.entries(tables).reduce((page, [head, rows]) => {
    if (!page.includes(head)) expect.fail(`docs/contract.md has no table ${head}`);
    const [, , ...written] = page.slice(page.indexOf(head)).split('\n\n', 1).join().split('\n');
    const byText = new Map(written.flatMap(cellsOf).map((cell) => [plain(cell), cell]));
    const known = rows
      .map((cells) => [...cells, ...cellsBeside(cells, written)])
      .map((cells) => `| ${cells.map((cell) => byText.get(plain(cell)) ?? cell).join(' | ')} |`);
    return page.replace(written.join('\n'), () => known.join('\n'));
  }, contract);

test.each([
  ['openapi.yaml', correctOpenapi],
  ['docs/contract.md', correctContract],
])('%s has what the code does, and no TODO', async (page, correct) => {
  expect(mistaken, mistaken[0]).toEqual([]);
  const text = correct();
  await expect(text).toMatchFileSnapshot(join(projectRoot, page));
  const lines = text.match(/.*TODO.*/g) ?? [];
  const advice = 'In openapi.yaml, replace TODO. Then run: npx vitest run test/documents -u';
  if (!isWritten) expect(lines, advice).toEqual([]);
  else if (lines.length > 0) process.stdout.write(`${advice}\n${lines.join('\n')}\n`);
});

// A client that reads openapi.yaml would send what the code rejects. JSON Schema has no form for valid Unicode.
test('openapi.yaml has each rule for a value of a patch, but for valid Unicode', () => {
  expect(untold).toContain('summary contains invalid Unicode');
  const others = untold.filter((rule) => !rule.endsWith(' contains invalid Unicode'));
  expect(others, 'lib/domain: give z.refine the form of its rule in JSON Schema, as `params`').toEqual([]);
});

test.skipIf(isWritten)('README.md shows the response to its curl', () => {
  const sent = JSON.parse(partOf('README.md', /^ +-d '(.*)'$/m, 'the body of its curl'));
  const shown = partOf('README.md', /^ {4}(\{"id":.*?\})\n\n/ms, 'the response to its curl');
  expect(JSON.parse(shown)).toEqual(toFileView({ ...detailed, ...sent }));
});

test.skipIf(isWritten)('the code accepts each example of a request in openapi.yaml', () => {
  expect(rejected, 'openapi.yaml, components.examples').toEqual([]);
});

const names = (list: readonly string[]) => list.map(inCode).join(', ');
const keyLength = headers.MAX_IDEMPOTENCY_KEY_CHARACTERS;
const seconds = MAX_REQUEST_MS / 1000;
/** Sentences with a number or a name of the code. They can be on several lines. */
test.each([
  ['openapi.yaml', `A JSON object of at most ${body.MAX_BODY_BYTES} bytes`],
  ['openapi.yaml', `parameters and at most ${body.MAX_CONTENT_TYPE_CHARACTERS} characters`],
  ['openapi.yaml', `at most ${MAX_PROBLEMS} problems`],
  ['docs/deploy.md', `add ${body.acceptedMediaTypes.map(inCode).join(' and ')} to its \`binaryMediaTypes\``],
  ['openapi.yaml', `has at most ${headers.MAX_API_KEY_CHARACTERS} characters of printable ASCII`],
  ['openapi.yaml', `a list of up to ${headers.MAX_ETAGS} etags`],
  ['openapi.yaml', `It has 1 to ${keyLength} characters`],
  // In the pattern of a key: after its first character, and in quotes.
  ['openapi.yaml', `[ -+.-~-]{0,${keyLength - 1}}|`],
  ['openapi.yaml', `){1,${keyLength}}")$`],
  ['openapi.yaml', `the last ${RECENT_WRITES} updates of the file`],
  ['openapi.yaml', `${names(optional).replace(/,(?=[^,]*$)/, ' and')} are all present or all absent`],
  // The test above compares docs/contract.md with it.
  ['openapi.yaml', `other writers were faster ${MAX_CONFLICTS} times`],
  ['docs/decisions/001-at-most-once.md', `After ${MAX_CONFLICTS} conflicts, 503`],
  ['docs/operations.md', `After ${MAX_CONFLICTS} conflicts, a request gets 503`],
  ['docs/operations.md', `The old key works for ${DAYS_KEPT} more days`],
  ['docs/contract.md', `name of an unknown field at ${MAX_NAME_CHARACTERS} characters`],
  ['docs/operations.md', `Ids in them have at most ${MAX_VALUE_CHARACTERS} characters`],
  ['docs/operations.md', `only above ${MAX_VERSION_AHEAD_MS / 1000} s, how far the stored version is ahead`],
  ['docs/contract.md', `within ${seconds} seconds after it gets a request`],
  ['docs/contract.md', `responds ${RESERVED_MS} ms before that limit`],
  ['docs/contract.md', `The function takes up to ${seconds} s`],
  ['docs/decisions/008-primed-init.md', `for at most ${PRIME_TIMEOUT_MS / 1000} s, by one request`],
  ['docs/contract.md', `A file remembers its last ${RECENT_WRITES} updates.`],
  ['README.md', `for its last ${RECENT_WRITES} updates`],
  [
    'docs/tables.md',
    `remembers its last ${RECENT_WRITES} updates by this service: \`w1\` to \`w${RECENT_WRITES}\``,
  ],
  ['docs/tables.md', `Keep at least ${MIN_FREE_BYTES} bytes free`],
  ['docs/tables.md', `These roles grant \`files:update\`: ${names(updateFiles.roles)}.`],
  ['docs/tables.md', `do not: ${names(roles.filter((role) => !updateFiles.roles.includes(role)))}.`],
])('%s says: %s', (page, sentence) => {
  expectSentence(page, sentence);
});

const written = updateExpression({
  patch: {},
  precondition: undefined,
  userId: '',
  version: 1,
  mark: { id: '', payloadHash: '' },
});
/** What an update sets. The page has the recent writes as `w1` to `w8`. */
const setByUpdate = [...written.UpdateExpression.matchAll(/(\S+) = /g)]
  .map(([, name = '']) => written.ExpressionAttributeNames[name] ?? name)
  .filter((name) => !RECENT_WRITE_ATTRIBUTES.slice(1, -1).some((one) => one === name));
test.skipIf(isWritten).each([
  // The last two are those of `npm run api-key` alone.
  ['API keys', [...Object.keys(ApiKeyRecordSchema.shape), 'createdAt', 'name']],
  ['Spaces', Object.keys(SpaceRecordSchema.shape)],
  [
    'Files',
    [...Object.keys(FileRecordSchema.shape), ...Object.keys(FileIdentitySchema.shape), ...setByUpdate],
  ],
])('docs/tables.md has a row for each attribute of %s, and no other', (heading, attributes) => {
  const [, section = ''] = read('docs/tables.md').split(`\n## ${heading}\n`);
  const cells =
    section
      .split(/^#/m, 1)
      .join()
      .match(/^\| `[^|]*/gm) ?? [];
  const found = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(found.toSorted()).toEqual([...new Set(attributes)].toSorted());
});
