import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { openRequest } from '#lib/http/event.ts';
import { toLogLine } from '#lib/http/log-line.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { packageService, type Template } from './template.ts';

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

const folder = temporaryFolder();
afterAll(folder.remove);

const variants: readonly { name: string; options: string[]; settings: Settings }[] = [
  { name: 'dev', options: [], settings: dev },
  { name: 'prod', options: ['--stage', 'prod'], settings: prod },
  {
    name: 'every param',
    options: params,
    settings: { ...dev, ...custom, ...tables, rate: '500', burst: '600', retention: 90 },
  },
];
const packaged = await Promise.all(
  variants.map(async (variant) => ({
    ...variant,
    ...(await packageService(join(folder.path, variant.name), variant.options)),
  })),
);

describe.each(packaged)('packaged for $name', ({ template, stackTags, settings }) => {
  test.each(assertions)('$that', (assertion) => {
    expect(foundIn(template, assertion)).toStrictEqual(expectedBy(assertion, settings));
  });

  test('nothing is in the template that no assertion is about', () => {
    const { Resources, ...sections } = template;
    const types = new Set(Object.values(Resources).map(({ Type }) => Type));
    expect([...types].sort()).toEqual(assertions.flatMap((assertion) => assertion.types).sort());
    expect(assertions.map(({ section }) => section)).toEqual(expect.arrayContaining(Object.keys(sections)));
  });

  test('the stack is tagged', () => {
    expect(stackTags).toEqual({ service: 'space-files', stage: settings['stage'] });
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
