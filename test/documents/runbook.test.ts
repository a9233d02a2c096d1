// What somebody needs at night: docs/operations.md has each alarm, each reason of a 5xx and each saved query, and the log has
// the fields that filters and queries read.
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { ApiError, internalReasons, unavailableReasons } from '#lib/domain/errors.ts';
import { readEvent } from '#lib/http/event.ts';
import { toLogLine } from '#lib/http/log-line.ts';
import { anEvent } from '#test/support/event.ts';
import { partOf, read } from '#test/support/pages.ts';
import { aRequestContext } from '#test/support/system.ts';

const page = read('docs/operations.md');
const yaml = read('monitoring.yml');
const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading?.replaceAll('`', ''));
const alarms = [...yaml.matchAll(/AlarmName: \S+}-(\S+)/g)].map(([, name]) => name);
const queries = [...yaml.matchAll(/Name: '\S+?\/(.+?)',/g)].map(([, name = '']) => name);

test.each(alarms)('the mail of %s links to its section of docs/operations.md', (name) => {
  expect(headings).toContain(name);
  const link = `What to do: \${param:runbook}#${name}`;
  expect(yaml.includes(`${link}\n`), `monitoring.yml has no mail that ends with ${link}`).toBe(true);
});

/** The text of a section, without those below it. */
const sectionOf = (heading: string) =>
  page.split(new RegExp(`^#+ ${heading}\n`, 'm'))[1]?.split(/^#+ /m)[0] ?? '';

// A mail links to its section, so nobody sees what is above all sections. Only what callers see comes before it.
test.each(['An alarm fired', 'api-outage', 'api-5xx-rate', 'lambda-errors'])(
  'docs/operations.md says first, in %s, when to roll back',
  (heading) => {
    expect(sectionOf(heading).trim().split(/\s+/).join(' ')).toMatch(
      /^(?:Callers get 5xx\. )?\*\*If the last deployment is less than an hour old, \[roll back\]\(#roll-back\) first\*\*, unless a table was \[restored\]/,
    );
  },
);

test.each(queries)('docs/operations.md names the saved query "%s"', (name) => {
  expect(page.toLowerCase().includes(name.toLowerCase())).toBe(true);
});

const reasons = [...unavailableReasons, ...internalReasons];
test.each(reasons)('docs/operations.md has the reason "%s" of a 5xx', (reason) => {
  expect(page.includes(reason)).toBe(true);
});

// Each is more often the mistake of a client than an attack.
test.each(['key is missing', 'key is malformed', 'key is unknown', 'key is revoked', 'key is expired'])(
  'docs/operations.md has the reason "%s" of a 401 in the section of its alarm',
  (reason) => {
    expect(sectionOf('invalid-api-keys')).toContain(`\`${reason}\``);
  },
);

test('the alarms and the saved queries are found', () => {
  expect(alarms).toEqual([
    'api-outage',
    'api-5xx-rate',
    'api-5xx-hour',
    'api-4xx-rate',
    'api-throttles',
    'api-p99-latency',
    'lambda-errors',
    'lambda-throttles',
    'lambda-concurrency',
    'invalid-api-keys',
  ]);
  expect(queries).toEqual([
    'What fails',
    'Who is rejected',
    'Which item',
    'Which key',
    'Requests for one file',
    'Changes of one key',
    'How fast, how large',
    'Starts and crashes',
    'Rejected by the gateway',
  ]);
});

const denied = Object.assign(new Error(), { code: 'DENIED', $metadata: { httpStatusCode: 400 } });
const context = aRequestContext({
  logFields: {
    userId: 'grace',
    tenantId: 'acme',
    keyId: 'key-1',
    call: 'update',
    retries: 0,
    conflicts: 0,
    versionAheadMs: 1,
  },
});
const request = readEvent(anEvent(), context);
const lineOf = (error: unknown) =>
  JSON.parse(toLogLine({ context, request }, { statusCode: 500, success: 'updated', error, endedAt: 0 }));
/** The names of all values of a line, for example `cause.code`. A list counts by its first value. */
const namesOf = (value: object, prefix = ''): string[] =>
  Object.entries(value).flatMap(([name, one]) => {
    if (Array.isArray(one)) return `${prefix}${name}.0`;
    return typeof one === 'object' ? namesOf(one, `${prefix}${name}.`) : `${prefix}${name}`;
  });

const unavailable = new ApiError('unavailable', { reason: 'deadline passed', cause: denied });
const namesOfErrors = () => [unavailable, denied].flatMap((error) => namesOf(lineOf(error)));

/** The fields of a line of the access log. */
const ofAccessLog = Object.keys(JSON.parse(parse(read('serverless.yml')).provider.logs.httpApi.format));
/** Those of the line of a start: test/unit/start.test.ts. */
const ofStart = 'bundle commit node codeCache'.split(' ');
const keywords = 'and or not in like by asc desc filter fields stats sort'.split(' ');
/** The fields in a query or a filter: its words, but for values, keywords, functions and the names of results. */
const fieldsIn = (text: string): string[] => {
  const results = [...text.matchAll(/ as (\w+)/g)].map(([, name = '']) => name);
  const words =
    text.replaceAll(/"[^"]*"|\/[^/]*\/| as \w+|\$\./g, '').match(/(?<![\w@.])[a-z][\w.]*(?![\w.(])/gi) ?? [];
  return words.filter((word) => ![...results, ...keywords].includes(word));
};

// CloudWatch itself adds what begins with @. Without a field, a query finds nothing, and a metric stays at 0.
test('the log has each field that a saved query or a metric of monitoring.yml reads', () => {
  const texts = yaml.match(/(?<=(?:QueryString|FilterPattern): ').*(?=')/g) ?? [];
  const found = texts.flatMap(fieldsIn);
  const known = [...namesOfErrors(), ...ofStart, ...ofAccessLog];
  expect([...new Set(found)].filter((name) => !known.includes(name))).toEqual([]);
  expect(found.length).toBeGreaterThan(60);
});

test('docs/operations.md lists the fields that a line can have, and no other', () => {
  vi.stubEnv('BUNDLE_HASH', '0123456789abcdef');
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1');
  const section = 'Fields of a log line';
  const list = partOf(
    'docs/operations.md',
    new RegExp(`^#+ ${section}\n(.+?)^#`, 'ms'),
    `the section "${section}"`,
  );
  const heads = [...list.matchAll(/^- (`[^:]+)/gm)].map(([, head = '']) => head);
  const listed = heads.flatMap((head) => [...head.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
  expect(listed.toSorted(), `"${section}" has a bullet for each field, with its name before a colon`).toEqual(
    [...new Set(namesOfErrors())].toSorted(),
  );
});
