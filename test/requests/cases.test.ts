import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FilePatchSchema } from '#lib/domain/file-patch.ts';
import { propertyOf } from '#lib/domain/parse-data.ts';
import { errorResponses } from '#lib/http/responses.ts';
import { patchProperties } from '#test/support/openapi.ts';
import { projectRoot } from '#tools/project.ts';
import { allCases, casesFor } from './cases/all.ts';
import { before, type Case, type Expected, type Sent } from './cases/case.ts';
import { fixture } from './cases/fixture.ts';
import { mistakes, withoutMistake } from './cases/order.ts';

test('each case has its own name', () => {
  const names = allCases.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('each error code has a case', () => {
  const codes = new Set(allCases.flatMap(({ steps }) => steps.map(([, { code }]) => code)));
  expect(codes).toEqual(new Set([undefined, ...Object.keys(errorResponses)]));
});

test('each error code has its place in the order of the checks', () => {
  const ordered = new Set(mistakes.map(([, , { code }]) => code));
  const others = Object.keys(errorResponses).filter((code) => ![...ordered].some((one) => one === code));
  const advice =
    'test/requests/cases/order.ts: add a mistake at the place of its check, or name the code below';
  expect(others.toSorted(), advice).toEqual(withoutMistake.toSorted());
});

/** The patches that cases send, each with what is expected. */
const patches = allCases.flatMap(({ steps }) =>
  steps.flatMap(([{ body }, expected]) => {
    try {
      return [{ patch: JSON.parse(`${body}`), ...expected }];
    } catch {
      return [];
    }
  }),
);
type Rule = {
  readonly error?: unknown;
  readonly innerType?: { readonly _zod: { readonly def: Rule } };
  readonly checks?: readonly { readonly _zod: { readonly def: Rule } }[];
};
/** The messages of all rules of a field. */
const messagesOf = ({ error, innerType, checks = [] }: Rule): readonly unknown[] => [
  ...(typeof error === 'function' ? [error({})] : []),
  ...[...checks, ...(innerType ? [innerType] : [])].flatMap(({ _zod }) => messagesOf(_zod.def)),
];
test.each(Object.entries(FilePatchSchema.shape))(
  'test/requests/cases has a case of %s for null, for its longest value and for each of its messages',
  (field, schema) => {
    const values = patches.filter(({ patch }) => Object.hasOwn(Object(patch), field));
    expect(values.map(({ patch }) => patch[field])).toContain(null);

    const accepted = values.filter(({ status }) => status === 200).map(({ patch }) => `${patch[field]}`);
    const longest = Math.max(...accepted.map((text) => [...text].length));
    expect(longest).toBe(propertyOf(patchProperties[field], 'maxLength') ?? longest);

    const messages = messagesOf(schema._zod.def).map((text) => `${field} ${text}`);
    const sent = new Set(values.flatMap(({ message = '' }) => message.split('; ')));
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message) => !sent.has(message))).toEqual([]);
  },
);

// test/lanes/smoke writes them with requests.
test('a patch can have the values of each file before a case', () => {
  const files = Object.values(fixture.files).map(({ documentKind }) => ({ documentKind }));
  const rejected = [before, ...files].filter((values) => !FilePatchSchema.safeParse(values).success);
  expect(rejected, '`before` of test/requests/cases/case.ts, or tools/tables/demo-data.json').toEqual([]);
});

test('each event of an update in events/ is a case', () => {
  const names = readdirSync(join(projectRoot, 'events')).map((name) => `events/${name}`);
  const isUpdate = (name: string) => /"PATCH[" ]/.test(readFileSync(join(projectRoot, name), 'utf8'));
  expect(allCases.flatMap(({ name }) => (name.startsWith('events/') ? [name] : [])).toSorted()).toEqual(
    names.filter(isUpdate).toSorted(),
  );
});

/** How a request must travel that has this part, or whose response has it. */
const wayOf = {
  space: 'any',
  file: 'any',
  headers: 'any',
  body: 'any',
  method: 'url',
  path: 'url',
  query: 'url',
  chunked: 'url',
  members: 'event',
  event: 'event',
  remainingMs: 'event',
  network: 'event',
  meanwhile: 'event',
  status: 'any',
  code: 'any',
  message: 'any',
  replayed: 'any',
  gateway: 'url',
  or: 'url',
  reason: 'any',
  log: 'any',
  written: 'any',
  mark: 'any',
} satisfies Record<keyof Sent | keyof Expected, 'url' | 'event' | 'any'>;
const ways = new Map<string, string>(Object.entries(wayOf));
test('a case that cannot travel one way says so', () => {
  const waysIn = ({ steps, stored }: Case) => [
    ...steps.flatMap((step) => step.flatMap((parts) => Object.keys(parts).map((part) => ways.get(part)))),
    ...(stored ? ['event'] : []),
  ];
  const having = (cases: readonly Case[], way: 'url' | 'event') =>
    cases.filter((one) => waysIn(one).includes(way));
  expect(having([...casesFor('1.0'), ...casesFor('2.0')], 'url')).toEqual([]);
  expect(having(casesFor('url'), 'event')).toEqual([]);
});
