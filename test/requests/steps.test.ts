import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILE_ID } from '#test/support/fixtures.ts';
import { allCases } from './cases/all.ts';
import { aCase, accepted, type Case, type Sent } from './cases/case.ts';
import { fixture, swapCase } from './cases/fixture.ts';
import { runSteps } from './steps.ts';

/** The error of a case of which each request fails in this way. */
const errorOf = async (oneCase: Case, fail: () => Promise<void>) =>
  Object(await runSteps(oneCase, fail).catch((error: unknown) => error));
const failed = () => Promise.reject(new Error('the response'));

const { editor, revoked } = fixture.apiKeys;
const path = `/v1/spaces/handbook/files/${FILE_ID}`;
test.each<[what: string, sent: Sent, lines: readonly string[]]>([
  ['the usual request', {}, [`PATCH ${path}`, `body: '{"summary":"Must not be stored."}'`]],
  [
    'other parts of a request',
    { method: 'PUT', space: 'a%20b', query: '?a=1', headers: { 'if-match': ['{etag}', '"1"'] }, body: null },
    [
      `PUT /v1/spaces/a%20b/files/${FILE_ID}?a=1`,
      `headers: { 'if-match': [ '{etag}', '"1"' ] }`,
      'body: null',
    ],
  ],
  [
    'the start of a long body',
    { body: 'é'.repeat(10_000), chunked: true },
    [`PATCH ${path}`, `body: '${'é'.repeat(193)}… (10008 characters)`, 'chunked: true'],
  ],
  ['bytes', { body: Buffer.from('{}') }, [`PATCH ${path}`, 'body: <Buffer 7b 7d>']],
  ['an event', { event: { Records: [{ body: null }] } }, ['event: { Records: [ { body: null } ] }']],
  [
    'no API key',
    { headers: { 'x-api-key': swapCase(editor), authorization: `Bearer ${revoked}x` }, body: 'A' },
    [
      `PATCH ${path}`,
      "headers: { 'x-api-key': '{apiKeys.editor}', authorization: 'Bearer {apiKeys.revoked}x' }",
      "body: 'A'",
    ],
  ],
])('the error of a failed case shows %s', async (_, sent, lines) => {
  const { message } = await errorOf(aCase('A title', [[sent, accepted]]), failed);
  expect(message.split('\n')).toEqual([
    'the response',
    '',
    'request 1 of 1:',
    ...lines.map((line) => `  ${line}`),
  ]);
});

test('the error of a failed case names the request', async () => {
  const steps = ['A', 'B', 'C'].map((body) => [{ body }, accepted] as const);
  const fail = async (step: unknown) => {
    if (step === steps[1]) throw new Error('x'.repeat(501));
  };
  const { message } = Object(await runSteps(aCase('A title', steps), fail).catch((error: unknown) => error));
  const sent = `request 2 of 3:\n  PATCH ${path}\n  body: 'B'`;
  expect(message).toBe(`${'x'.repeat(500)}… (501 characters)\n\n${sent}`);
});

test('long texts of a difference are cut where they differ', async () => {
  const actual = {
    short: 'a'.repeat(200),
    late: [`${'😀'.repeat(8_000)}b`],
    early: `b${'a'.repeat(200)}`,
    shorter: 'é'.repeat(300),
    equal: 'é'.repeat(300),
    other: 'é'.repeat(300),
    missing: undefined,
    none: null,
  };
  const matcher = expect.stringMatching('x');
  const expected = {
    ...actual,
    late: ['😀'.repeat(10_000)],
    early: 'a',
    shorter: 'é'.repeat(301),
    other: matcher,
  };
  const compare = async () => expect(actual).toStrictEqual(expected);
  const error = await errorOf(aCase('A title', [[{}, accepted]]), compare);
  const equal = `${'é'.repeat(60)} … ${'é'.repeat(20)}… (300 characters)`;
  const same = { short: 'a'.repeat(200), equal, missing: undefined, none: null };
  expect(error.actual).toStrictEqual({
    ...same,
    late: [`${'😀'.repeat(60)} … ${'😀'.repeat(20)}b… (8001 characters)`],
    early: `b${'a'.repeat(199)}… (201 characters)`,
    shorter: equal,
    other: `${'é'.repeat(200)}… (300 characters)`,
  });
  expect(error.expected).toStrictEqual({
    ...same,
    late: [`${'😀'.repeat(60)} … ${'😀'.repeat(80)}… (10000 characters)`],
    early: 'a',
    shorter: `${'é'.repeat(60)} … ${'é'.repeat(21)}… (301 characters)`,
    other: matcher,
  });
});

/** The line of the source to which the stack of a failed case leads first. */
const lineOf = async (oneCase: Case) => {
  const { stack } = await errorOf(oneCase, failed);
  const [, file, line] = /^ {4}at (?:.* \()?(\/.*\/test\/requests\/cases\/.*):(\d+):\d+/m.exec(stack) ?? [];
  return file && readFileSync(file, 'utf8').split('\n')[Number(line) - 1]?.trim();
};

test.each([
  // The line with the title.
  ['An empty object is rejected', "'An empty object is rejected': '{}',"],
  ['A key is case-sensitive', "'A key is case-sensitive': (send, key) =>"],
  [
    'A damaged file gets 500 after the write',
    "aboutStored('A damaged file gets 500 after the write', brokenFile, [{}, damaged]),",
  ],
  // The call that has built the title.
  ['x-tenant-id with a tab is rejected', '...headerCases(header)(invalid, {'],
  [
    'Of no user and a malformed tenant, the first is reported',
    'return cases(expect, { [name]: { ...firstSent, ...secondSent, headers } });',
  ],
])('the stack of the failed case "%s" begins at its row', async (name, line) => {
  const found = allCases.find((one) => one.name === name) ?? expect.unreachable('there is no such case');
  expect(await lineOf(found)).toBe(line);
});

test('the stack of each failed case begins at a row', async () => {
  const lines = await Promise.all(allCases.map(async (one) => [one.name, await lineOf(one)] as const));
  expect(lines.filter(([, line]) => !line)).toEqual([]);
});
