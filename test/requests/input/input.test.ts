import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { base64, formats } from '#test/support/event.ts';
import { aBasicFile, aBasicFileView, aSpace, firstWrite, without } from '#test/support/given.ts';
import { runs } from '#test/support/runs.ts';
import { apiKeyRecord, startService } from '#test/support/service.ts';
import { createTables } from '#test/support/simulated-tables.ts';
import { badFields, character, expensive, oneOf, type Parts, rows, word, wrongTrigger } from './rows.ts';

const inherited = Object.getOwnPropertyNames(Object.prototype);
afterAll(() => expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited));

const tables = createTables({ isTooLarge: ({ fileId }) => fileId === 'large' });
tables.put('apiKeys', apiKeyRecord());
tables.put('spaces', aSpace());
tables.put('files', aBasicFile({ fileId: 'large' }));
const service = startService(tables);
beforeEach(() => tables.put('files', aBasicFile()));

const format = fc.constantFrom('1.0', '2.0');

/** A bad request gets exactly this response, changes nothing, and leaves one line in the log. */
const expectRejected = async (
  { event, ...parts }: Parts,
  version: '1.0' | '2.0',
  expected: string,
  maxCalls: number,
) => {
  const before = tables.all('files');
  const { response, calls, lines } = await service(event === undefined ? formats[version](parts) : event);
  const { statusCode, headers, body } = response;
  expect(`${statusCode} ${body}`).toBe(
    `${expected.slice(0, 3)} ${JSON.stringify({ message: expected.slice(4) })}`,
  );
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  expect(calls.length).toBeLessThanOrEqual(maxCalls);
  expect(tables.all('files').every((item, index) => item === before[index])).toBe(true);
  expect(lines.map((line) => JSON.parse(line).status)).toEqual([statusCode]);
};

test.each(rows)('bad requests get %s after at most %i calls', async (response, maxCalls, requests) => {
  const property = fc.asyncProperty(requests, format, (parts, version) =>
    expectRejected(parts, version, response, maxCalls),
  );
  await fc.assert(property, runs(200));
});

test('an object with bad or repeated fields gets a 400 that names the problems in its order', async () => {
  const property = fc.asyncProperty(badFields, format, ({ parts, message }, version) =>
    expectRejected(parts, version, `400 ${message}`, 1),
  );
  await fc.assert(property, runs(1_000));
});

test('an event of a wrong trigger is logged as one', async () => {
  const property = fc.asyncProperty(wrongTrigger, format, async ({ event, ...parts }, version) => {
    const { lines } = await service(event === undefined ? formats[version](parts) : event);
    const reason = expect.stringMatching(/^wrong trigger: event does not fit: [\w.]+: /);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ outcome: 'internal-error', reason }]);
  });
  await fc.assert(property, runs(200));
});

test.each(expensive)('an expensive request gets %s in little processor time', async (response, parts) => {
  let milliseconds = Number.POSITIVE_INFINITY;
  // Usually 1 to 30. What takes quadratic time over any of these takes seconds, each time.
  for (let attempt = 0; attempt < 3 && milliseconds > 500; attempt += 1) {
    const before = process.cpuUsage();
    await expectRejected(parts, '2.0', response, 2);
    const { user, system } = process.cpuUsage(before);
    milliseconds = (user + system) / 1000;
  }
  expect(milliseconds).toBeLessThan(500);
});

const text = fc.oneof(
  fc.string({ unit: character, maxLength: 100 }),
  fc.constantFrom('', ' \n\t', '😀'.repeat(256), '\0', '__proto__'),
);
const fields = fc
  .record({ summary: fc.option(text), documentKind: fc.option(text) }, { requiredKeys: [] })
  .filter((patch) => Object.keys(patch).length > 0);
const formsOf = fc.record({
  type: fc.constantFrom(
    'application/json',
    'Application/JSON ;Charset="UTF-8"',
    'application/merge-patch+json;a=b',
    'application/json;charset=utf-8 ; a=b',
  ),
  encoding: fc.constantFrom(undefined, '', ' Identity'),
  key: fc.constantFrom(undefined, 'a b', ' "a\\"b" '),
  ifMatch: fc.constantFrom(undefined, ' * ', '"0"', ' "7" ,, W/"1", "0"'),
  userId: oneOf(['~'.repeat(128)], word),
  spelling: fc.mixedCase(fc.constant('x-user-id')),
  /** White space after JSON has no meaning. */
  bytes: fc.constantFrom(0, 131_072),
  isBase64Encoded: fc.boolean(),
  /** In format 1.0, one of the two forms of headers is enough. */
  extra: fc.constantFrom({}, { headers: null }, { multiValueHeaders: null }),
});

test('a good request succeeds in every form that an event can take', async () => {
  const property = fc.asyncProperty(fields, formsOf, format, async (patch, form, version) => {
    tables.put('files', aBasicFile());
    const json = JSON.stringify(patch);
    const body = json + ' '.repeat(Math.max(0, form.bytes - Buffer.byteLength(json)));
    const { response, lines } = await service(
      formats[version]({
        headers: {
          'x-user-id': undefined,
          [form.spelling]: form.userId,
          'x-other': 'ignored',
          'content-type': form.type,
          'content-encoding': form.encoding,
          'idempotency-key': form.key,
          'if-match': form.ifMatch,
        },
        body: form.isBase64Encoded ? base64(body) : body,
        isBase64Encoded: form.isBase64Encoded,
        ...(version === '1.0' && { extra: form.extra }),
      }),
    );
    expect([response.statusCode, JSON.parse(response.body)]).toEqual([200, aBasicFileView(patch)]);
    const stored = Object.entries({ ...aBasicFile(), ...patch }).filter(([, value]) => value !== null);
    const left = without({ ...tables.get('files', aBasicFile()) }, ...Object.keys(firstWrite()));
    expect(left).toEqual({ ...Object.fromEntries(stored), updatedBy: form.userId });
    const log = { outcome: 'updated', tenantId: 'acme', userId: form.userId, keyId: 'key-1' };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([log]);
  });
  await fc.assert(property, runs(500));
});
