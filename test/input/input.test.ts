import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { apiKeyRecord, runs, startService } from '#test/access/service.ts';
import { createTables } from '#test/simulation/tables.ts';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { aBasicFile, aSpace, FILE_ID } from '#test/support/given.ts';
import { badFields, expensive, type Parts, rowsFor } from './rows.ts';

const inherited = Object.getOwnPropertyNames(Object.prototype);
afterAll(() => expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited));

const tables = createTables({ isTooLarge: ({ fileId }) => fileId === 'large' });
tables.put('apiKeys', apiKeyRecord());
tables.put('spaces', aSpace());
tables.put('files', aBasicFile({ fileId: 'large' }));
const service = startService(tables);
beforeEach(() => tables.put('files', aBasicFile()));

const encode = (id: string) => (id.isWellFormed() ? encodeURIComponent(id) : id);
/** The event of a request in each payload format. */
const formats = {
  '1.0': ({ spaceId = 'handbook', fileId = FILE_ID, ...parts }: Parts) =>
    aRestEvent({ ...parts, spaceId: encode(spaceId), fileId: encode(fileId) }),
  '2.0': anEvent,
};
const format = fc.constantFrom('1.0', '2.0');

/** Responses that only the files table can give: the write was sent, and rejected. */
const fromTheWrite = /^404 File|^400 If-Match|^412|^413 File/;

/** A bad request gets exactly this response, changes nothing, and leaves one line in the log. */
const expectRejected = async ({ event, ...parts }: Parts, version: '1.0' | '2.0', expected: string) => {
  const before = tables.all('files');
  const { response, calls, lines } = await service(event === undefined ? formats[version](parts) : event);
  const { statusCode, headers, body } = response;
  expect(`${statusCode} ${body}`).toBe(
    `${expected.slice(0, 3)} ${JSON.stringify({ message: expected.slice(4) })}`,
  );
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  if (!fromTheWrite.test(expected)) expect(calls.join()).not.toContain('update');
  expect(tables.all('files').every((item, index) => item === before[index])).toBe(true);
  expect(lines.map((line) => JSON.parse(line).status)).toEqual([statusCode]);
};

test.each(rowsFor(FILE_ID))('%s', async (response, requests) => {
  const property = fc.asyncProperty(requests, format, (parts, version) =>
    expectRejected(parts, version, response),
  );
  await fc.assert(property, runs(400));
});

test('fields that are unknown, not editable, of another type, too long, not Unicode, or repeated', async () => {
  const property = fc.asyncProperty(badFields, format, ({ parts, message }, version) =>
    expectRejected(parts, version, `400 ${message}`),
  );
  await fc.assert(property, runs(1_000));
});

test.each(expensive)('%s: an expensive request takes little processor time', async (response, parts) => {
  let milliseconds = Number.POSITIVE_INFINITY;
  // Usually 1 to 30. What takes quadratic time over any of these takes seconds, each time.
  for (let attempt = 0; attempt < 3 && milliseconds > 500; attempt += 1) {
    const before = process.cpuUsage();
    await expectRejected(parts, '2.0', response);
    const { user, system } = process.cpuUsage(before);
    milliseconds = (user + system) / 1000;
  }
  expect(milliseconds).toBeLessThan(500);
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.constantFrom('', ' \n\t', '😀'.repeat(256), '\0', '__proto__'),
);
const fields = fc
  .record({ summary: fc.option(text), documentKind: fc.option(text) }, { requiredKeys: [] })
  .filter((patch) => Object.keys(patch).length > 0);
const choices = fc.record({
  type: fc.constantFrom(
    'application/json',
    'Application/JSON ;Charset="UTF-8"',
    'application/merge-patch+json;a=b',
  ),
  encoding: fc.constantFrom(undefined, '', ' Identity'),
  ifMatch: fc.constantFrom(undefined, '*', '"0"', ' "7" ,, W/"1", "0"'),
  spelling: fc.mixedCase(fc.constant('x-user-id')),
  indent: fc.constantFrom(undefined, 2),
  isBase64Encoded: fc.boolean(),
  /** In format 1.0, one of the two forms of headers is enough. */
  extra: fc.constantFrom({}, { headers: null }, { multiValueHeaders: null }),
});

test('a good request in every form that an event can take', async () => {
  const property = fc.asyncProperty(fields, choices, format, async (patch, choice, version) => {
    tables.put('files', aBasicFile());
    const json = JSON.stringify(patch, null, choice.indent);
    const { response } = await service(
      formats[version]({
        headers: {
          ...{ 'x-user-id': undefined, [choice.spelling]: 'grace', 'x-other': 'ignored' },
          ...{ 'content-type': choice.type, 'content-encoding': choice.encoding, 'if-match': choice.ifMatch },
        },
        ...(choice.isBase64Encoded
          ? { body: Buffer.from(json).toString('base64'), isBase64Encoded: true }
          : { body: json }),
        ...(version === '1.0' && { extra: choice.extra }),
      }),
    );
    const { spaceId: _, fileId: id, ...file } = aBasicFile();
    expect([response.statusCode, JSON.parse(response.body)]).toEqual([200, { id, ...file, ...patch }]);
    const stored = Object.entries({ ...aBasicFile(), ...patch }).filter(([, value]) => value !== null);
    const { version: __, requestId: ___, updatedBy, ...record } = { ...tables.get('files', aBasicFile()) };
    expect({ ...record, updatedBy }).toEqual({ ...Object.fromEntries(stored), updatedBy: 'grace' });
  });
  await fc.assert(property, runs(500));
});
