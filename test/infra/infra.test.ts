import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { openRequest } from '#lib/http/event.ts';
import { toLogLine } from '#lib/http/log-line.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { isIgnored, mutations, type Packaged, packageService, relevant, type Template } from './template.ts';

type Settings = Readonly<Record<string, number | string>>;
const names = (stage: string) => ({
  stage,
  stack: `space-files-${stage}`,
  keys: `space-files-${stage}-api-keys`,
  spaces: `space-files-${stage}-spaces`,
  files: `space-files-${stage}-files`,
});
const defaults = { createTables: 'true', tracing: 'PassThrough', alarmEmail: '', alarmTopic: '' };
const shared = { ...defaults, reservedConcurrency: -1, concurrencyAlarm: 800 };
const dev: Settings = { ...names('dev'), ...shared, retention: 7, rate: 20, burst: 40 };
const prod: Settings = { ...names('prod'), ...shared, retention: 30, rate: 200, burst: 200 };
const custom = {
  ...{ apiKeysTable: 'Keys', spacesTable: 'Spaces', filesTable: 'Files', createTables: 'false' },
  ...{ tracing: 'Active', throttlingRate: '500', throttlingBurst: '600', concurrencyAlarm: '400' },
  ...{ alarmTopic: 'arn:aws:sns:eu-west-1:123456789012:on-call', alarmEmail: 'a@example.com' },
  ...{ reservedConcurrency: '50', logRetentionInDays: '90' },
};
const params = Object.entries(custom).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
const tables = { keys: 'Keys', spaces: 'Spaces', files: 'Files' };
const variants: [name: string, options: string[], settings: Settings][] = [
  ['dev', [], dev],
  ['prod', ['--stage', 'prod'], prod],
  ['every param', params, { ...dev, ...custom, ...tables, rate: '500', burst: '600', retention: 90 }],
];

const AssertionsSchema = z.array(
  z.strictObject({
    that: z.string(),
    types: z.array(z.string()).default([]),
    section: z.string().default('Resources'),
    shared: z.unknown().optional(),
    are: z.unknown(),
  }),
);
const assertions = AssertionsSchema.parse(
  parse(readFileSync(join(import.meta.dirname, 'assertions.yaml'), 'utf8'), { merge: true }),
);
type Assertion = (typeof assertions)[number];

/** The part of a template that an assertion is about, with the properties of a resource beside its type. */
const foundIn = (template: Template, { types, section }: Assertion): unknown =>
  section !== 'Resources'
    ? template[section]
    : Object.fromEntries(
        Object.entries(template.Resources)
          .filter(([, { Type }]) => types.includes(Type))
          .map(([id, { Properties, ...rest }]) => [id, { ...rest, ...Properties }]),
      );
/** What it has to be: the table's words, with the settings of the variant filled in. */
const expectedBy = ({ are }: Assertion, settings: Settings): unknown =>
  JSON.parse(
    JSON.stringify(are).replace(/"%(\w+)%"|%(\w+)%/g, (_, whole, part) =>
      whole ? JSON.stringify(settings[whole]) : String(settings[part]),
    ),
  );
const claimed = assertions.flatMap(({ types, section }) => (section === 'Resources' ? types : []));
const unclaimed = ({ Resources, ...sections }: Template) => [
  ...Object.values(Resources).flatMap(({ Type }) => (claimed.includes(Type) ? [] : [Type])),
  ...Object.keys(sections).filter((name) => !assertions.some(({ section }) => section === name)),
];

const isNoticed = (template: Template, expected: readonly unknown[]): boolean => {
  try {
    const mutated = relevant(template);
    const holds = (assertion: Assertion, at: number) =>
      isDeepStrictEqual(foundIn(mutated, assertion), expected[at]);
    return unclaimed(mutated).length > 0 || !assertions.every(holds);
  } catch {
    return true;
  }
};

const folder = temporaryFolder();
afterAll(folder.remove);
const packaged = new Map<string, Packaged>();
beforeAll(async () => {
  const pack = async ([name, options]: (typeof variants)[number]) =>
    packaged.set(name, await packageService(join(folder.path, name), options));
  await Promise.all(variants.map(pack));
}, 60_000);
const given = (name: string): Packaged => {
  const found = packaged.get(name);
  if (found === undefined) throw new Error(`${name} was not packaged`);
  return found;
};

describe.each(variants)('packaged for %s', (variant, _, settings) => {
  test.each(assertions)('$that', (assertion) => {
    expect(foundIn(relevant(given(variant).template), assertion)).toStrictEqual(
      expectedBy(assertion, settings),
    );
  });

  test('nothing else is created', () => {
    expect(unclaimed(relevant(given(variant).template))).toEqual([]);
  });

  test('each value is noticed when it is deleted, changed or widened, unless it is ignored', () => {
    const { template } = given(variant);
    const expected = assertions.map((assertion) => expectedBy(assertion, settings));
    const wrong = new Set<string>();
    expect(isNoticed(template, expected)).toBe(false);
    for (const path of mutations(template)) {
      if (isNoticed(template, expected) === isIgnored(path)) wrong.add(path);
    }
    expect(wrong).toEqual(new Set());
  });
});

test('metric filters read only fields that a log line has', () => {
  const request = openRequest({}, {}, { now: () => 0, uptime: () => 0, newId: () => '' });
  request.context.retryStats.versionAheadMs = 1;
  const fields = Object.keys(JSON.parse(toLogLine(request, { status: 200, now: 0 })));
  const filters = assertions.filter(({ types }) => types.includes('AWS::Logs::MetricFilter'));
  const read = [...JSON.stringify(filters).matchAll(/\$\.(\w+)/g)].map(([, field]) => field);
  expect(fields).toEqual(expect.arrayContaining(read));
  expect(new Set(read)).toEqual(new Set(['status', 'conflicts', 'retries', 'versionAheadMs']));
});

test('the stack is tagged', () => {
  expect(given('prod').stackTags).toEqual({ service: 'space-files', stage: 'prod' });
});

test('cfn-lint accepts every template', ({ skip }) => {
  const lint = (...args: string[]) => execFileSync('cfn-lint', args, { encoding: 'utf8' });
  const version = () => {
    try {
      return lint('--version');
    } catch {
      return '';
    }
  };
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version()) ?? [];
  if (Number(major) * 1000 + Number(minor) < 1050 || major === undefined)
    skip('cfn-lint 1.50 or newer is not installed');
  lint(...variants.map(([name]) => given(name).file));
}, 60_000);
