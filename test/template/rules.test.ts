import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import { rules } from './rules/index.ts';
import { regionRules } from './rules/regions.ts';
import { type Packaged, packageService } from './support/package.ts';
import { at, idsOf, textAt, withValue } from './support/template.ts';

const param = (...values: string[]) => values.flatMap((value) => ['--param', value]);
const topic = 'arn:aws:sns:eu-west-1:123456789012:on-call';
const variants = {
  dev: [],
  prod: ['--stage', 'prod'],
  'all that can be asked for': [
    ...param('createTables=false', 'apiKeysTable=Keys', 'spacesTable=Spaces', 'filesTable=Files'),
    ...param('tracing=Active', 'reservedConcurrency=50', 'logRetentionInDays=90', 'throttlingRate=500'),
    ...param(
      'throttlingBurst=600',
      'concurrencyAlarm=400',
      `alarmTopic=${topic}`,
      'alarmEmail=a@example.com',
    ),
  ],
} as const;
const names = ['dev', 'prod', 'all that can be asked for'] as const;

const folder = temporaryFolder();
afterAll(folder.remove);
const packaged = new Map<string, Packaged>();
beforeAll(async () => {
  const pack = async (name: (typeof names)[number]) =>
    packaged.set(name, await packageService(join(folder.path, name), variants[name]));
  await Promise.all(names.map(pack));
}, 60_000);
const given = (name: (typeof names)[number]): Packaged => {
  const found = packaged.get(name);
  if (found === undefined) throw new Error(`${name} was not packaged`);
  return found;
};

describe.each(names)('packaged for %s', (variant) => {
  test.each(rules)('$name', ({ check }) => {
    expect(check(given(variant).template)).toEqual([]);
  });
});

describe('a rule speaks where it is broken', () => {
  const cases = rules.flatMap((rule) =>
    rule.broken.map(([path, value]) => ({
      ...rule,
      path,
      value,
      shown: JSON.stringify(value)?.slice(0, 60),
    })),
  );
  test.each(cases)('$name: $path $shown', ({ check, path, value }) => {
    const { template } = given('dev');
    const broken = withValue(template, path, value);
    expect(at(broken, path)).toEqual(value);
    expect(broken).not.toEqual(template);
    expect(check(broken)).not.toEqual([]);
  });
});

test.each([
  [
    'Resources.FilesTable',
    { Type: 'AWS::DynamoDB::GlobalTable', Properties: { MultiRegionConsistency: 'STRONG' } },
  ],
  ['Parameters.AcceptLastWriterWins', { Type: 'String', Default: 'true' }],
])('replicas are allowed with %s %j', (path, value) => {
  const { template } = given('dev');
  const replicas = withValue(template, 'Resources.SpacesTable.Properties.Replicas', [
    { Region: 'eu-west-1' },
  ]);
  const allowed = withValue(path.startsWith('Resources') ? template : replicas, path, value);
  expect(regionRules.flatMap(({ check }) => check(allowed))).toEqual([]);
});

test.each([
  ['dev', [7, 20, 40, 800, 'true', 'PassThrough', -1, '', '']],
  ['prod', [30, 200, 200, 800, 'true', 'PassThrough', -1, '', '']],
  ['all that can be asked for', [90, '500', '600', '400', 'false', 'Active', '50', topic, 'a@example.com']],
] as const)('what is set for %s is in the template', (variant, expected) => {
  const { template } = given(variant);
  const settings = 'Resources.HttpApiStage.Properties.DefaultRouteSettings';
  const paths = [
    'Resources.UpdateFileLogGroup.Properties.RetentionInDays',
    `${settings}.ThrottlingRateLimit`,
    `${settings}.ThrottlingBurstLimit`,
    'Resources.LambdaConcurrencyAlarm.Properties.Threshold',
    'Parameters.CreateTables.Default',
    'Parameters.Tracing.Default',
    'Parameters.ReservedConcurrency.Default',
    'Parameters.AlarmTopicArn.Default',
    'Parameters.AlarmEmail.Default',
  ];
  expect(paths.map((path) => at(template, path))).toEqual(expected);
});

test('everything the stack makes is tagged', () => {
  expect(given('prod').stackTags).toEqual({ service: 'space-files', stage: 'prod' });
});

test('docs/operations.md says of every alarm what to do, and of no other', () => {
  const { template } = given('prod');
  const [, part = ''] = readFileSync(join(projectRoot, 'docs', 'operations.md'), 'utf8').split(
    '\n## Alarms\n',
  );
  const [alarms = ''] = part.split('\n## ');
  const headings = [...alarms.matchAll(/^### (\S+)$/gm)].map(([, name]) => `space-files-prod-${name}`);
  const names = idsOf(template, 'AWS::CloudWatch::Alarm').map((id) =>
    textAt(template, `Resources.${id}.Properties.AlarmName`),
  );
  expect(headings.sort()).toEqual(names.sort());
});
