// Follows docs/operations.md through incidents: the function leaves log lines, a saved query makes rows of them, and a
// table of the page says for each row what to do.

import { readFileSync } from 'node:fs';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { readConfig } from '#lib/runtime/deps.ts';
import { anEvent } from '#test/support/event.ts';
import { aBasicFile, aFile, FILE_ID, FIRST_VERSION } from '#test/support/given.ts';
import { apiKeyRecord, startService } from '#test/support/service.ts';
import { createTables, given, type Item } from '#test/support/simulated-tables.ts';
import { createTestSystem } from '#test/support/system.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

type Fields = Readonly<Record<string, unknown>>;
/** The fields that CloudWatch finds in a line: those of its JSON, inner ones by their path. */
const discover = (message: string): Fields => {
  const flatten = (value: object, path = ''): [string, unknown][] =>
    Object.entries(value).flatMap(([name, inner]) =>
      typeof inner === 'object' ? flatten(inner, `${path}${name}.`) : [[path + name, inner]],
    );
  return {
    ...Object.fromEntries(message.startsWith('{') ? flatten(JSON.parse(message)) : []),
    '@message': message,
  };
};

const operators: Readonly<Record<string, string>> = { and: '&&', or: '||', not: '!', '=': '===' };
/** The part of the language that the saved queries filter by, as JavaScript. */
const compileFilter = (filter: string) => {
  const script = filter.replaceAll(
    /ispresent\((\S+?)\)|(\S+) like (\/.+?\/)|(\S+) in (\[.+?\])|(\S+) ([=>]) ([^\s)]+)|\b(?:and|or|not)\b/g,
    (word, present, text, regex, member, list, left, operator, right) => {
      if (present) return `(of("${present}") !== undefined)`;
      if (regex) return `${regex}.test(of("${text.replace('(', '')}"))`;
      if (list) return `${list}.includes(of("${member}"))`;
      return operator
        ? `(of("${left}") ${operators[operator] ?? operator} ${right})`
        : (operators[word] ?? '');
    },
  );
  const isKept = new Function('of', `return ${script}`);
  return (fields: Fields): boolean => isKept((name: string) => fields[name]);
};

const QuerySchema = z.object({ Properties: z.object({ Name: z.string(), QueryString: z.string() }) });
const { Resources } = z
  .object({ Resources: z.record(z.string(), z.unknown()) })
  .parse(parse(read('template-prod.yaml')));
const queries = new Map(
  Object.values(Resources).flatMap((resource) => {
    const { Name, QueryString } = QuerySchema.safeParse(resource).data?.Properties ?? {};
    return Name && QueryString ? [[Name.replace('space-files-prod/', ''), QueryString] as const] : [];
  }),
);

/** The rows that a saved query makes of log lines: what it groups by, where it is present, and how many lines. */
const runQuery = (name: string, lines: readonly string[]): Fields[] => {
  const [filter = '', stats = ''] = (queries.get(name) ?? '').split(' | ');
  const columns = (stats.split(' by ')[1] ?? '').split(/, (?![^(]*\))/).map((column) => {
    const [, sources = column, alias = column] = /^coalesce\((.+)\) as (\w+)$/.exec(column) ?? [];
    return [alias, sources.split(', ')] as const;
  });
  const rows = Map.groupBy(
    lines.map(discover).filter(compileFilter(filter.replace('filter ', ''))),
    (fields) =>
      JSON.stringify(
        Object.fromEntries(
          columns.map(([alias, sources]) => [
            alias,
            sources.map((source) => fields[source]).find((value) => value !== undefined),
          ]),
        ),
      ),
  );
  return [...rows].map(([row, { length: n }]) => ({ ...JSON.parse(row), n }));
};

/** The rows of the first table in a section of the page: the text of each cell. */
const tableOf = (section: string): string[][] => {
  const [, text = ''] = read('../../../docs/operations.md').split(`### ${section}\n`);
  const [, , ...rows] = text.split(/^#/m)[0]?.match(/^\|.*\|$/gm) ?? [];
  return rows.map((row) => row.slice(2, -2).split(' | '));
};
/** Whether a cell names one of the values, or nothing. A name may end with …, which stands for any text. */
const fits = (cell: string, ...values: readonly unknown[]): boolean => {
  const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const isNamed = (name: string) =>
    values.some((value) => (name.endsWith('…') ? `${value}`.startsWith(name.slice(0, -1)) : value === name));
  return names.length === 0 || names.some(isNamed);
};

type Call = () => Promise<unknown>;
type Incident = {
  /** What DynamoDB does with each call, which is counted from 1. Without it, all calls succeed. */
  readonly network?: (send: Call, call: number) => Promise<unknown>;
  readonly stored?: { readonly apiKey?: Item; readonly space?: Item; readonly file?: Item };
  readonly events?: readonly unknown[];
  readonly environment?: ReturnType<typeof createTestSystem>;
};
/** The log lines of requests during an incident. The time is that of the environment. */
const linesOf = async ({ network = (send) => send(), stored = {}, ...incident }: Incident) => {
  const { events = [anEvent()], environment = createTestSystem() } = incident;
  const tables = createTables();
  tables.put('apiKeys', stored.apiKey ?? given.apiKey);
  tables.put('spaces', stored.space ?? given.space);
  tables.put('files', stored.file ?? aFile());
  let calls = 0;
  const service = startService(tables, environment, (send) => network(send, ++calls));
  const lines: string[] = [];
  for (const event of events) {
    const response = service(event);
    await environment.advance(6_000);
    lines.push(...(await response).lines);
  }
  return { lines, file: tables.get('files', { spaceId: 'handbook', fileId: FILE_ID }) };
};

const fail = (name: string, more = {}) => Object.assign(new Error('secret'), { name, ...more });
const failing = (error: Error, from = 1): Incident => ({
  network: (send, call) => (call < from ? send() : Promise.reject(error)),
});
const rejected = (item: Item) =>
  new ConditionalCheckFailedException({ message: '', $metadata: {}, Item: marshall(item) });
const later = FIRST_VERSION + 7;
const otherWriter = rejected(aFile({ version: later, w1: `other..${later.toString(36)}` }));
const refused = fail('Error', { code: 'ECONNREFUSED' });
const names = { API_KEYS_TABLE: 'a', SPACES_TABLE: 'b', FILES_TABLE: 'c', AWS_REGION: 'd' };
const without = (name: string): Incident => ({
  network: async () => readConfig({ ...names, [name]: '' }),
});
const never = () => new Promise(() => undefined);
/** Only the timer of the whole operation calls back. */
const withoutAttemptTimers = (): Incident => {
  const environment = createTestSystem();
  const startTimer: typeof environment.startTimer = (ms, callback) =>
    ms > 5_000 ? environment.startTimer(ms, callback) : () => undefined;
  return { network: never, environment: { ...environment, startTimer } };
};

const unavailable = (reason: string, call: string, cause: Fields = {}) => ({
  status: 503,
  outcome: 'unavailable',
  reason,
  call,
  ...Object.fromEntries(Object.entries(cause).map(([name, value]) => [`cause.${name}`, value])),
  n: 1,
});
const internal = (reason: string, call: string | undefined, name: string) => ({
  status: 500,
  outcome: 'internal-error',
  reason,
  ...(call && { call }),
  'error.name': name,
  n: 1,
});
const unexpected = (call: string, name: string) => internal('unexpected error', call, name);
const [read5xx, write5xx] = ['access read', 'update'];
const budget = 'retry budget used up';

/** The first row of the table that fits, as the section says. */
const advice = (row: Fields): string | undefined =>
  tableOf('api-5xx-rate').find(
    ([outcome = '', reason = '', name = '']) =>
      fits(outcome, row['outcome']) &&
      fits(reason, row['reason']) &&
      fits(name, row['cause.name'], row['error.name']),
  )?.[3];

const [throttles, away, conflicts] = ['#dynamodb-throttles', '#dynamodb-system-errors', '#write-conflicts'];
const [rollBack, params] = ['[Roll back]', 'the params of the last deployment'];
const credentials = 'credentials of its role';
describe('What fails, and api-5xx-rate,', () => {
  test.each<[string, Incident, Fields, string]>([
    [
      'a throttled read',
      failing(fail('ThrottlingException')),
      unavailable(budget, read5xx, { name: 'ThrottlingException' }),
      throttles,
    ],
    [
      'a throttled write',
      failing(fail('ProvisionedThroughputExceededException'), 2),
      unavailable(budget, write5xx, { name: 'ProvisionedThroughputExceededException' }),
      throttles,
    ],
    [
      'a limit of the account',
      failing(fail('RequestLimitExceeded'), 2),
      unavailable(budget, write5xx, { name: 'RequestLimitExceeded' }),
      throttles,
    ],
    [
      'a batch of which a part is throttled',
      { network: async () => ({ Responses: {}, UnprocessedKeys: { apiKeys: {} } }) },
      unavailable(budget, read5xx, { name: 'MalformedResponseError' }),
      throttles,
    ],
    [
      'a transaction of another service',
      failing(fail('TransactionConflictException'), 2),
      unavailable(budget, write5xx, { name: 'TransactionConflictException' }),
      conflicts,
    ],
    [
      'an engine that is out of reach',
      failing(refused),
      unavailable(budget, read5xx, { name: 'Error', code: 'ECONNREFUSED' }),
      away,
    ],
    [
      'an engine that does not respond',
      { network: never },
      unavailable('deadline passed', read5xx, { name: 'TimeoutError' }),
      away,
    ],
    [
      'an attempt that was lost, and then another writer',
      { network: (send, call) => (call === 1 ? send() : Promise.reject(call === 2 ? refused : otherWriter)) },
      unavailable('rejected after an attempt with unknown outcome', write5xx, {
        name: 'Error',
        code: 'ECONNREFUSED',
      }),
      away,
    ],
    [
      'writers that are always faster',
      failing(otherWriter, 2),
      unavailable('other writers were faster 20 times', write5xx),
      conflicts,
    ],
    [
      'an operation that hangs',
      withoutAttemptTimers(),
      unavailable('operation did not settle before the deadline', read5xx),
      rollBack,
    ],
    [
      'a damaged key',
      { stored: { apiKey: apiKeyRecord({ roles: 7 }) } },
      internal('API key record does not fit: roles: invalid_type', read5xx, 'InternalError'),
      '#a-damaged-key',
    ],
    [
      'a damaged file',
      { stored: { file: aFile({ language: 7 }) } },
      internal('file record does not fit: language: invalid_type', write5xx, 'InternalError'),
      '#tables',
    ],
    [
      'a table without a name',
      without('FILES_TABLE'),
      internal('not set: FILES_TABLE', read5xx, 'InternalError'),
      params,
    ],
    [
      'no Region',
      without('AWS_REGION'),
      internal('not set: AWS_REGION', read5xx, 'InternalError'),
      'Lambda itself sets this variable',
    ],
    [
      'another trigger',
      { events: [{ Records: [] }] },
      internal(
        'wrong trigger: event does not fit: pathParameters: invalid_type, httpMethod: invalid_type',
        undefined,
        'InternalError',
      ),
      'Remove the other trigger',
    ],
    ...[
      'CredentialsProviderError',
      'ExpiredTokenException',
      'UnrecognizedClientException',
      'InvalidSignatureException',
      'MissingAuthenticationTokenException',
    ].map((name): [string, Incident, Fields, string] => [
      name,
      failing(fail(name)),
      unexpected(read5xx, name),
      credentials,
    ]),
    ...[
      'AccessDeniedException',
      'KMSAccessDeniedException',
      'ResourceNotFoundException',
      'ValidationException',
    ].map((name): [string, Incident, Fields, string] => [
      name,
      failing(fail(name), 2),
      unexpected(write5xx, name),
      params,
    ]),
    ['a bug', failing(new TypeError('x is not a function')), unexpected(read5xx, 'TypeError'), rollBack],
  ])('say what to do about %s', async (_, incident, row, whatToDo) => {
    const { lines } = await linesOf(incident);
    expect(runQuery('What fails', lines)).toEqual([row]);
    expect(advice(row)).toContain(whatToDo);
  });
});

const before = 'How the first week goes.';
test.each([
  ['language: invalid_type', aFile({ language: 7 }), 'New.'],
  ['originalName, charactersCount missing from the detailed shape', aBasicFile({ chunksCount: 1 }), 'New.'],
  ['version: invalid_type', aFile({ version: 'x' }), before],
  ['version: too_big', aFile({ version: Number.MAX_SAFE_INTEGER }), before],
  ['the entry of this request', aFile({ version: later, w1: 'request1.' }), before],
])('an update gets 500, and is stored unless the reason names version or w1: %s', async (...row) => {
  const [problem, stored, summary] = row;
  const { lines, file } = await linesOf({ stored: { file: stored } });
  expect(runQuery('What fails', lines)).toEqual([
    internal(`file record does not fit: ${problem}`, 'update', 'InternalError'),
  ]);
  expect(file).toMatchObject({ summary });
  expect(runQuery('Which item', lines)).toEqual([
    { tenantId: 'acme', spaceId: 'handbook', fileId: FILE_ID, n: 1 },
  ]);
});

const withHeaders = (headers: Record<string, string | undefined>, count = 1) =>
  Array.from({ length: count }, () => anEvent({ headers }));
const throttled = fail('ThrottlingException');

test('Which key, and dynamodb-throttles, tell a throttled key from one that somebody guesses', async () => {
  const busy = await linesOf({
    events: withHeaders({}, 3),
    network: (send, call) => (call <= 2 ? send() : Promise.reject(throttled)),
  });
  const ids = { tenantId: 'acme', spaceId: 'handbook' };
  expect(runQuery('Which key', busy.lines)).toEqual([
    { status: 200, ...ids, keyId: 'key-1', n: 1 },
    { status: 503, ...ids, n: 2 },
  ]);
  const guessed = await linesOf({ events: withHeaders({ 'x-api-key': 'guess' }, 3) });
  expect(runQuery('Which key', guessed.lines)).toEqual([{ status: 401, ...ids, n: 3 }]);
  expect(tableOf('dynamodb-throttles').map(([table, most]) => `${table}: ${most}`)).toEqual([
    'API keys: `status` 401',
    'API keys: one `tenantId`, and one `keyId` or none',
    'spaces: one `spaceId`',
    'files: one `fileId`',
    'any: many different items',
  ]);
});

test('Who is rejected, and api-4xx-rate, name the caller as far as one is known', async () => {
  const { lines } = await linesOf({
    events: [
      ...withHeaders({ 'x-user-id': undefined }, 2),
      ...withHeaders({ 'x-tenant-id': 'a,b' }),
      ...withHeaders({ 'content-type': 'text/plain' }),
      ...withHeaders({ 'x-api-key': 'guess' }),
      ...withHeaders({ 'x-tenant-id': 'globex' }),
      anEvent({ fileId: 'none' }),
      ...withHeaders({ 'if-match': '"1"' }),
      ...withHeaders({}),
    ],
  });
  const header = (problem: string) => `header is ${problem}`;
  const keyId = 'key-1';
  expect(runQuery('Who is rejected', lines)).toEqual([
    { status: 400, outcome: 'user-id-missing', reason: header('missing or blank'), caller: 'acme', n: 2 },
    { status: 400, outcome: 'tenant-id-invalid', reason: header('malformed'), caller: 'grace', n: 1 },
    {
      status: 415,
      outcome: 'content-type-unsupported',
      reason: 'Content-Type is not JSON in UTF-8',
      caller: 'acme',
      keyId,
      n: 1,
    },
    { status: 401, outcome: 'api-key-invalid', reason: 'key is unknown', caller: 'acme', n: 1 },
    {
      status: 403,
      outcome: 'permission-denied',
      reason: 'key belongs to another tenant',
      caller: 'globex',
      keyId,
      n: 1,
    },
    {
      status: 404,
      outcome: 'file-not-found',
      reason: 'space has no such file',
      caller: 'acme',
      keyId,
      n: 1,
    },
  ]);
  expect(tableOf('api-4xx-rate').map(([status]) => status)).toEqual(['400, 415', '401', '403', '404']);
});

test('Starts and crashes shows what Lambda reports, and no line of a request', async () => {
  const start = { level: 'info', bundle: '43fba9271281c334', node: 'v24.11.0', codeCache: 'accepted' };
  const crashes = [
    'RequestId: 6f1f5a3e Error: Runtime exited with error: signal: killed\nRuntime.ExitError',
    '2026-11-23T17:00:00.000Z\tundefined\tERROR\tUncaught Exception \t{"errorType":"Runtime.ImportModuleError"}',
    'REPORT RequestId: 6f1f5a3e\tDuration: 900.00 ms\tStatus: error\tError Type: Runtime.OutOfMemory',
    '2026-11-23T17:00:00.000Z 6f1f5a3e Task timed out after 10.00 seconds',
    'INIT_REPORT Init Duration: 9999.00 ms\tPhase: init\tStatus: timeout',
  ];
  const others = [
    'INIT_START Runtime Version: nodejs:24.v12\tRuntime Version ARN: arn:aws:lambda:eu-west-1::runtime:1',
    'START RequestId: 6f1f5a3e Version: $LATEST',
    'REPORT RequestId: 6f1f5a3e\tDuration: 12.00 ms\tMax Memory Used: 90 MB',
  ];
  const requests = await linesOf({
    ...failing(refused),
    events: [anEvent(), anEvent({ spaceId: 'Runtime. errorType' })],
  });
  const lines = [JSON.stringify(start), ...others, ...requests.lines, ...crashes];
  const [filter = ''] = (queries.get('Starts and crashes') ?? '').split(' | ');
  const isShown = compileFilter(filter.replace('filter ', ''));
  expect(lines.filter((line) => isShown(discover(line)))).toEqual([JSON.stringify(start), ...crashes]);
});

test('Rejected by the gateway, and api-throttles, name the address of each rejected request', () => {
  const access = (status: number, ip: string, gatewayError = '-') =>
    JSON.stringify({ requestId: 'a', ip, status: `${status}`, gatewayError, functionError: '-' });
  const lines = [
    access(200, '192.0.2.1'),
    access(429, '192.0.2.1', 'THROTTLED'),
    access(429, '192.0.2.1', 'THROTTLED'),
    access(404, '192.0.2.2'),
    access(503, '192.0.2.1'),
  ];
  const row = (status: number, ip: string, n: number, gatewayError = '-') => ({
    status: `${status}`,
    ip,
    gatewayError,
    functionError: '-',
    n,
  });
  expect(runQuery('Rejected by the gateway', lines)).toEqual([
    row(429, '192.0.2.1', 2, 'THROTTLED'),
    row(404, '192.0.2.2', 1),
    row(503, '192.0.2.1', 1),
  ]);
});

test('each value of a query that docs/operations.md names is in a query', () => {
  const named = read('../../../docs/operations.md').match(/(?<=`)(?:max|sum)\(\w+\)(?=`)/g) ?? [];
  expect(new Set(named)).toEqual(new Set(['max(retries)', 'max(versionAheadMs)']));
  const all = [...queries.values()].join();
  expect(named.filter((value) => !all.includes(value))).toEqual([]);
});
