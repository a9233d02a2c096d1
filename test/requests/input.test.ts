import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { editableFields } from '#lib/domain/file-patch.ts';
import { MAX_BODY_BYTES } from '#lib/http/read-file-patch.ts';
import { anEvent, base64, type EventOverrides, formats } from '#test/support/event.ts';
import { API_KEY, aBasicFile, FILE_ID, firstWrite, without } from '#test/support/fixtures.ts';
import { patchProperties, schemaErrors } from '#test/support/openapi.ts';
import { limitOf, runs } from '#test/support/runs.ts';
import { service } from '#test/support/service.ts';
import { idOf } from '#test/support/simulated-tables.ts';

const inherited = Object.getOwnPropertyNames(Object.prototype);
afterAll(() => expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited));

/** Any Unicode character. Unlike the unit "binary" of fast-check, without a map of all of them. */
const character = fc
  .integer({ min: 0, max: 0x10_f7ff })
  .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + 0x800));
const anyText = fc.string({ unit: character, maxLength: 60 });
const surrogate = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code));
/** Usually one of the values, else another text. */
const mostly = <Value>(...values: readonly Value[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...values) }, anyText, surrogate);

const textUpTo = (max: number) =>
  fc.oneof(
    { weight: 5, arbitrary: anyText },
    fc.constantFrom('', '😀'.repeat(max), 'é'.repeat(max + 1)),
    surrogate,
  );
/** Values that a JSON Schema allows, and texts that are too long or have a lone surrogate. */
const valuesOf = (schema: unknown): fc.Arbitrary<unknown> => {
  const { type, enum: listed, maxLength = 60, items } = Object(schema);
  if (listed) return fc.constantFrom(...listed);
  const byType: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    string: textUpTo(maxLength),
    boolean: fc.boolean(),
    integer: fc.integer(),
    ...(items && { array: fc.array(valuesOf(items), { maxLength: 5 }) }),
  };
  const [name, orNull] = [type].flat();
  const value = byType[name] ?? fc.jsonValue();
  return orNull === 'null' ? fc.option(value) : value;
};
const values = Object.entries(patchProperties).map(([name, schema]) => [name, valuesOf(schema)]);
const patch = fc.record(Object.fromEntries(values), { requiredKeys: [] });
const oddFields = fc.dictionary(
  fc.oneof(fc.constantFrom(...editableFields, 'tags', '__proto__', '0'), anyText),
  fc.jsonValue(),
  { maxKeys: 6 },
);
const json = fc.oneof(
  { weight: 6, arbitrary: patch.map((fields) => JSON.stringify(fields)) },
  { weight: 2, arbitrary: oddFields.map((fields) => JSON.stringify(fields)) },
  fc.json(),
  fc.tuple(fc.json(), fc.nat()).map(([whole, at]) => whole.slice(0, at % (whole.length + 1))),
  anyText,
);
/** White space after JSON has no meaning, but counts. */
const sized = fc
  .tuple(json, fc.constantFrom(0, 0, 0, MAX_BODY_BYTES))
  .map(([whole, bytes]) => whole.padEnd(bytes));
const body = fc.oneof(
  { weight: 6, arbitrary: sized.map((whole) => ({ body: whole })) },
  { weight: 3, arbitrary: sized.map((whole) => ({ body: base64(whole), isBase64Encoded: true })) },
  fc.uint8Array().map((bytes) => ({ body: base64(bytes), isBase64Encoded: true })),
  sized.map((whole) => ({ body: whole, isBase64Encoded: true })),
  fc.constantFrom({ body: null }, { body: '' }),
);
const headers = fc.record(
  {
    'x-user-id': mostly('grace', 'ada', undefined, 'u'.repeat(129)),
    'X-User-ID': fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, anyText),
    'x-tenant-id': mostly('acme', 'acme', 'globex'),
    'x-api-key': mostly(API_KEY, API_KEY, undefined),
    'content-type': mostly('application/json', 'Application/Merge-Patch+JSON;a=b;charset="UTF-8"'),
    'content-encoding': mostly(undefined, ' Identity'),
    'idempotency-key': mostly(undefined, 'a b', ' "a\\"b" '),
    'if-match': mostly(undefined, '*', '"0"', ' "7" ,, W/"1", "0"', '"1"'),
    'x-other': anyText,
  },
  { requiredKeys: [] },
);
const request = fc
  .record({ spaceId: mostly('handbook'), fileId: mostly(FILE_ID, FILE_ID, 'large'), headers, body })
  .map(({ body: sent, ...parts }): EventOverrides => ({ ...parts, ...sent }));
const member = fc.constantFrom(
  'version',
  'headers',
  'pathParameters',
  'requestContext',
  'body',
  'isBase64Encoded',
);
const format = fc.constantFrom('1.0', '2.0');
const event = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(request, format).map(([parts, version]) => formats[version](parts)) },
  fc
    .tuple(format, member, fc.jsonValue())
    .map(([version, name, value]) => formats[version]({ extra: { [name]: value } })),
  fc.jsonValue(),
);

/** A request of each status that this function can respond with. */
const ofEachStatus: Readonly<Record<number, EventOverrides>> = {
  200: { body: '{"summary":"-"}' },
  400: { body: '{}' },
  401: { headers: { 'x-api-key': undefined } },
  403: { headers: { 'x-tenant-id': 'globex' } },
  404: { spaceId: 'unknown' },
  412: { headers: { 'if-match': '"1"' } },
  413: { fileId: 'large' },
  415: { headers: { 'content-type': undefined } },
  500: { extra: { version: '3.0' } },
};

const MANY = 1_000_000;
const nested = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
const withHeader = (name: string, value: string): EventOverrides => ({ headers: { [name]: value } });
/** Requests that are expensive for code that looks at input more often than once. */
const expensive: readonly EventOverrides[] = [
  withHeader('x-user-id', ' '.repeat(5 * MANY)),
  withHeader('x-user-id', '😀'.repeat(MANY)),
  withHeader('x-tenant-id', `${' '.repeat(5 * MANY)}x`),
  withHeader('x-api-key', 'k'.repeat(2 * MANY)),
  withHeader('content-type', `a/b${' '.repeat(100_000)}x`),
  withHeader('content-type', ';a=b'.repeat(MANY)),
  withHeader('content-encoding', `${' '.repeat(MANY)}gzip,`),
  withHeader('if-match', `${','.repeat(5 * MANY)}x`),
  withHeader('if-match', `"1"${' \t'.repeat(MANY)}x`),
  withHeader('idempotency-key', `"${'\\"'.repeat(MANY)}`),
  { spaceId: 'a'.repeat(MANY) },
  { fileId: '%41'.repeat(MANY) },
  { body: ' '.repeat(6 * MANY) },
  { body: '='.repeat(6 * MANY), isBase64Encoded: true },
  { body: '[{"a":'.repeat(20_000) },
  { body: `{"summary":${nested}}` },
  { body: `{"documentKind":"${'\\"'.repeat(60_000)}"}` },
  { body: `{"documentKind":"${'[:{'.repeat(40_000)}"}` },
  { extra: { headers: Array.from({ length: MANY }, () => 0) } },
];

/** For JSON.parse. JSON Schema cannot describe that a text has no lone surrogate. */
const rejectSurrogate = (_: string, value: unknown): unknown => {
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('a lone surrogate');
  return value;
};

/** The patch that the body of an event asks for; undefined if the body is none. */
const patchOf = (sent: unknown): Readonly<Record<string, unknown>> | undefined => {
  const { body: raw, isBase64Encoded } = Object(sent);
  try {
    const fields = JSON.parse(isBase64Encoded ? Buffer.from(raw, 'base64').toString() : raw, rejectSurrogate);
    return schemaErrors('#/components/schemas/FilePatch', fields).length === 0 ? fields : undefined;
  } catch {
    return undefined;
  }
};

const { send, tables } = service();
await tables.put('files', aBasicFile({ fileId: 'large', thumbnail: 'x'.repeat(400 * 1024) }));

/** Sends an event, and returns how much processor time it has taken, in milliseconds. */
const expectSafe = async (sent: unknown, statuses: Set<number>): Promise<number> => {
  await tables.put('files', aBasicFile());
  const before = await tables.records();
  const cpu = process.cpuUsage();
  const { response, line, calls, records } = await send(sent);
  const { user, system } = process.cpuUsage(cpu);

  const { statusCode } = response;
  statuses.add(statusCode);
  expect(calls.length).toBeLessThanOrEqual(2);
  const reason = expect.stringMatching(/^wrong trigger: event does not fit: [\w.]+: /);
  expect(line).toMatchObject({ statusCode, ...(statusCode >= 500 && { reason }) });
  if (statusCode === 200) {
    const fields = patchOf(sent) ?? expect.unreachable('it has written a body that is no valid patch');
    const expected = Object.entries({ ...aBasicFile(), ...fields }).filter(([, value]) => value !== null);
    const stored = { ...records[idOf('files', aBasicFile())] };
    expect(without(stored, 'updatedBy', ...Object.keys(firstWrite()))).toEqual(Object.fromEntries(expected));
  } else expect(Object.entries(records).filter(([name, item]) => item !== before[name])).toEqual([]);
  return (user + system) / 1000;
};

test('any event gets no 5xx but for a wrong trigger, writes nothing but a valid patch, and takes two calls and bounded time', {
  timeout: limitOf(900_000),
}, async () => {
  const statuses = new Set<number>();
  const property = fc.asyncProperty(event, async (sent) => {
    let milliseconds = Number.POSITIVE_INFINITY;
    // Usually 1 to 30. What takes quadratic time over an expensive request takes seconds, each time.
    for (let attempt = 0; attempt < 3 && milliseconds > 500; attempt += 1)
      milliseconds = await expectSafe(sent, statuses);
    expect(milliseconds).toBeLessThan(500);
  });
  const examples = [...Object.values(ofEachStatus), ...expensive].map((parts): [unknown] => [anEvent(parts)]);
  // A failure is not made smaller: to try thousands of smaller events can fill the memory.
  await fc.assert(property, { ...runs(5_000), examples, endOnFailure: true });
  expect([...statuses].toSorted()).toEqual(Object.keys(ofEachStatus).map(Number));
});
