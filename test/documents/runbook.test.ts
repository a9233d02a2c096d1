// What somebody needs at night: docs/operations.md has each alarm, each reason of a 5xx and each saved query, and the log has
// the fields that filters and queries read.
import { expect, test, vi } from 'vitest';
import { ApiError, internalReasons, unavailableReasons } from '#lib/domain/errors.ts';
import { readEvent } from '#lib/http/event.ts';
import { toLogLine } from '#lib/http/log-line.ts';
import type { RequestContext } from '#lib/request-context.ts';
import { allCases } from '#test/requests/cases/all.ts';
import { anEvent } from '#test/support/event.ts';
import { expectNone, expectSentence, partOf, read } from '#test/support/pages.ts';
import { alarms, param, propertiesOf, readWidgets, serverless, stage } from '#test/support/stack.ts';
import { aRequestContext } from '#test/support/system.ts';

const page = read('docs/operations.md');
/** The text of a section, without those below it. */
const sectionOf = (heading: string) =>
  page.split(new RegExp(`^#+ ${heading}\n`, 'm'))[1]?.split(/^#+ /m)[0] ?? '';

const names = alarms.map(({ name }) => name).toSorted();

test.each(alarms)('the mail of $name links to its section of docs/operations.md', ({ name, mail }) => {
  expect(mail.slice(mail.indexOf('What to do: '))).toBe(`What to do: ${param('runbook')}#${name}`);
});

test('docs/operations.md has a section for each alarm, and no other, and a table of all of them', () => {
  const [, sections = ''] = page.split(/^## The alarms$/m);
  const headings = sections
    .split(/^## /m, 1)
    .join()
    .match(/(?<=^### ).+/gm);
  expect(headings?.toSorted(), 'Sections of "The alarms" in docs/operations.md').toEqual(names);
  const inTable = sectionOf('An alarm fired').match(/(?<=^\|.*\[)[\w-]+(?=\]\(#)/gm);
  expect(inTable?.toSorted(), 'Table of "An alarm fired" in docs/operations.md').toEqual(names);
});

// A mail links to its section, so nobody sees what is above all sections. Only what callers see comes before it.
test.each(['An alarm fired', 'api-outage', 'api-5xx-rate', 'lambda-errors'])(
  'docs/operations.md says first, in %s, when to roll back',
  (heading) => {
    expect(sectionOf(heading).trim().split(/\s+/).join(' ')).toMatch(
      /^(?:Callers get 5xx\. )?\*\*Deployed in the last hour\? \[Roll back\]\(#roll-back\) first\.\*\* /,
    );
  },
);

test('docs/operations.md says first, in Roll back, when not to', () => {
  expect(sectionOf('Roll back').trim()).toMatch(/^\*\*If a table was \[restored\]/);
});

const reasons = [...unavailableReasons, ...internalReasons];
test.each(reasons)('docs/operations.md has the reason "%s" of a 5xx', (reason) => {
  expectSentence('docs/operations.md', reason);
});

// Each is more often the mistake of a client than an attack.
const reasonsOfKeys = allCases.flatMap(({ steps }) =>
  steps.flatMap(([, { code, reason }]) => (code === 'api-key-invalid' && reason ? [reason] : [])),
);
test.each([...new Set(reasonsOfKeys)])(
  'docs/operations.md has the reason "%s" of a 401 in the section of its alarm',
  (reason) => {
    expect(sectionOf('invalid-api-keys')).toContain(`\`${reason}\``);
  },
);

const denied = Object.assign(new Error(), { code: 'DENIED', $metadata: { httpStatusCode: 400 } });
/** All of them: it compiles only with a value for each. */
const logFields: Required<RequestContext['logFields']> = {
  userId: 'grace',
  tenantId: 'acme',
  keyId: 'key-1',
  call: 'update',
  retries: 0,
  conflicts: 0,
  versionAheadMs: 1,
};
const context = aRequestContext({ logFields });
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

/** The fields of a line of each log. Those of a start are in test/unit/start.test.ts. */
const fieldsOfLog = new Map([
  ['FunctionsLogGroup', [...namesOfErrors(), 'bundle', 'commit', 'node', 'codeCache']],
  ['HttpApiLogGroup', Object.keys(JSON.parse(serverless.provider.logs.httpApi.format))],
]);
/** CloudWatch itself adds these to a line. */
const ofCloudWatch = ['@timestamp', '@message', '@initDuration', '@maxMemoryUsed'];
const keywords = 'and or not in like by asc desc filter fields stats sort'.split(' ');
/** The fields in a query or a filter: its words, but for values, keywords, functions and the names of results. */
const fieldsIn = (text: string): string[] => {
  const results = [...text.matchAll(/ as (\w+)/g)].map(([, name = '']) => name);
  const words = text
    .replaceAll(/"[^"]*"|\/[^/]*\/| as \w+|\$\./g, '')
    .match(/(?<![\w.])@?[a-z][\w.]*(?![\w.(])/gi);
  return (words ?? []).filter((word) => ![...results, ...keywords].includes(word));
};
const queries: { name: string; log: string; text: string }[] = propertiesOf('AWS::Logs::QueryDefinition').map(
  ({ Name, LogGroupNames: [log], QueryString }) => ({
    name: `${Name}`.replace(`${stage}/`, ''),
    log: log.Ref,
    text: QueryString,
  }),
);
const filters: typeof queries = propertiesOf('AWS::Logs::MetricFilter').map(
  ({ LogGroupName, FilterPattern, MetricTransformations: [metric] }) => ({
    name: metric.MetricName,
    log: LogGroupName.Ref,
    text: `${FilterPattern}`.replace(/^".*/, ''),
  }),
);

const expectFields = (log: string, text: string): void => {
  const known = [...(fieldsOfLog.get(log) ?? []), ...ofCloudWatch];
  const missing = fieldsIn(text).filter((name) => !known.includes(name));
  expectNone(missing, `A line of ${log} lacks`);
};
// Without a field, a query finds nothing, and a metric stays at 0.
test.each([...queries, ...filters])('the log of $name has each field that it reads', ({ log, text }) => {
  expectFields(log, text);
});
test('the log of the dashboard has each field that it reads', () => {
  for (const { query = '' } of readWidgets()) {
    const [, log = '', text = query] = /^SOURCE '\${(\w+)}' \| (.*)/.exec(query) ?? [];
    expectFields(log, text);
  }
});

// No documentation of AWS shows another function there.
test('a saved query groups by fields and by `bin` alone', () => {
  const grouped = queries.flatMap(({ text }) => / by ([^|]+)/.exec(text)?.[1] ?? []);
  expect(grouped.join().match(/\w+(?=\()/g)).toEqual(['bin']);
});

/** The statuses that the alarm about clients counts. */
const statuses = filters.find(({ name }) => name === 'ClientErrors')?.text.match(/\d{3}/g) ?? [];
const [allButOne, last] = [statuses.slice(0, -1).join(', '), statuses.at(-1)];
test('docs/operations.md says in the section of api-4xx-rate which statuses it counts', () => {
  expect(sectionOf('api-4xx-rate')).toContain(`Callers get ${allButOne} or ${last}. Run`);
});

// Nobody notices a line that a query does not find. So each filter is here, with the words that promise its lines.
const found: Readonly<Record<string, readonly [filter: string | undefined, words: string]>> = {
  'What fails': ['level = "error" or retries > 0', 'errors and repeated requests, by'],
  'Who is rejected': [`statusCode in [${allButOne}, ${last}]`, `${allButOne} and ${last}, by`],
  'Which item': ['level = "error" or conflicts > 0 or retries > 0', 'errors, conflicts and retries, by'],
  'Which key': ['ispresent(outcome)', 'requests, by'],
  'Requests for one file': [
    'fileId = "FILEID"',
    'who sent what for a file, and when. Replace `FILEID` with its id',
  ],
  // After a 5xx, the update may have been applied.
  'Changes of one key': [
    'keyId = "KEYID" and (statusCode = 200 or statusCode >= 500)',
    'the files that a key has changed, with users and times. Replace `KEYID` with its id',
  ],
  'How fast, how large': [undefined, 'requests, `ms`, memory and cold starts'],
  'Starts and crashes': [
    String.raw`ispresent(node) or (not ispresent(outcome) and @message like /errorType|Runtime\.|Task timed out|Status: /)`,
    'each start of the function, and errors of Lambda',
  ],
  'Rejected by the gateway': ['statusCode like /^[45]/', '4xx and 5xx in the access log, by'],
};
test('docs/operations.md links only to saved queries that exist', () => {
  const links = [...page.matchAll(/\[([^\]]+)\]\(#saved-queries\)/g)].map(([, text = '']) => text);
  // A link can name two of them. A name can have an "and" of its own.
  const restOf = (link: string) => queries.reduce((rest, { name }) => rest.replace(name, ''), link);
  const unknown = links
    .map((link) => link.replaceAll(/\s+/g, ' '))
    .filter((link) => !/^(?: and )?$/.test(restOf(link)));
  expectNone(unknown, 'monitoring.yml has no query');
});

test('docs/operations.md lists the saved queries, and says which lines each one finds', () => {
  const listed =
    sectionOf('Saved queries')
      .replaceAll(/\n +/g, ' ')
      .match(/(?<=^- ).+/gm) ?? [];
  expect(queries.map(({ name, text }) => [name, /^filter (.+?) \|/.exec(text)?.[1]])).toEqual(
    Object.entries(found).map(([name, [filter]]) => [name, filter]),
  );
  const promised = Object.entries(found).map(([name, [, words]]) => `**${name}**: ${words}`);
  expect(listed.map((line, at) => line.slice(0, promised[at]?.length))).toEqual(promised);
  expect(queries.map(({ log }) => log === 'HttpApiLogGroup')).toEqual(
    listed.map((line) => line.includes('the access log')),
  );
  const [, unclear] = /statusCode >= (\d+)/.exec(found['Changes of one key']?.[0] ?? '') ?? [];
  expectSentence('docs/operations.md', `A row with a status of ${unclear} or more may have changed its file`);
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
