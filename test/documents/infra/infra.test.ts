import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diff } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { ApiError } from '#lib/domain/errors.ts';
import { createEventReader } from '#lib/http/event.ts';
import { toLogLine } from '#lib/http/log-line.ts';
import { openRequest } from '#lib/http/open-request.ts';
import { anEvent } from '#test/support/event.ts';
import { bareEnvironment, run, temporaryFolder } from '#test/support/processes.ts';
import { createTestSystem } from '#test/support/system.ts';
import { projectRoot } from '#tools/project.ts';
import { readTableNames } from '#tools/tables/environment.ts';

const ResourceSchema = z.looseObject({ Type: z.string(), Properties: z.looseObject({}) });
const TemplateSchema = z.looseObject({ Resources: z.record(z.string(), ResourceSchema) });
const folder = temporaryFolder();
afterAll(folder.remove);

/**
 * Runs `serverless package` without credentials in a new folder that looks like the project. The framework writes
 * to .serverless beside serverless.yml, so parallel runs need a folder each. Rejects with the output on failure.
 */
const packageService = async (name: string, options: readonly string[], edit = (text: string) => text) => {
  const copy = join(folder.path, name);
  // Not the project's dist/, which a parallel run may rebuild while this one reads it.
  mkdirSync(join(copy, 'dist'), { recursive: true });
  for (const file of ['update-file.cjs', 'update-file.cjs.map']) writeFileSync(join(copy, 'dist', file), '');
  writeFileSync(
    join(copy, 'serverless.yml'),
    edit(readFileSync(join(projectRoot, 'serverless.yml'), 'utf8')),
  );
  for (const path of ['package.json', 'node_modules', 'tools'])
    symlinkSync(join(projectRoot, path), join(copy, path));
  const serverless = join(projectRoot, 'node_modules/serverless/bin/serverless.js');
  const { code, stdout, stderr } = await run([serverless, 'package', ...options], bareEnvironment(), copy);
  if (code !== 0) throw new Error(stdout + stderr);
  const packaged = join(copy, '.serverless');
  const read = (file: string) => readFileSync(join(packaged, file), 'utf8');
  const { service } = JSON.parse(read('serverless-state.json'));
  const template = read('cloudformation-template-update-stack.json');
  return {
    /** As it was written, with the tags and the rollback triggers of the stack, and without the time of packaging. */
    template: TemplateSchema.parse({
      ...JSON.parse(template.replace(/(?<=\/)\d{13}-[\w:.-]+Z(?=\/)/g, 'TIME')),
      stackTags: service.provider.stackTags,
      rollbackConfiguration: service.provider.rollbackConfiguration,
    }),
    files: readdirSync(packaged),
    printed: stderr,
    zipped: readFileSync(join(packaged, 'space-files.zip'), 'latin1'),
  };
};
const paramOptions = (params: readonly string[]) => params.flatMap((param) => ['--param', param]);

const trigger = {
  Arn: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:space-files-dev-api-outage',
  Type: 'AWS::CloudWatch::Alarm',
};
const [prod, dev] = await Promise.all([
  // All defaults of serverless.yml.
  packageService('prod', ['--stage', 'prod']),
  // A value for each param that stage dev does not set itself. A list has its value in the file.
  packageService(
    'dev',
    paramOptions([
      'apiKeysTable=Keys',
      'spacesTable=Spaces',
      'filesTable=Files',
      'createTables=false',
      'tablesKeyArn=arn:aws:kms:eu-west-1:123456789012:key/own',
      'disableDefaultEndpoint=true',
      'rollbackMinutes=15',
      'tracing=Active',
      'alarmEmail=a@example.com',
      'alarmTopic=arn:aws:sns:eu-west-1:123456789012:on-call',
      'reservedConcurrency=50',
      'concurrencyAlarm=400',
      'commit=4de15dad',
      'runbook=https://example.com/runbook',
    ]),
    (text) => text.replace('rollbackTriggers: []', `rollbackTriggers: [${JSON.stringify(trigger)}]`),
  ),
]);

const textOf = ({ template }: typeof prod) => stringify(template, { lineWidth: 0 });
const advice = '# Read how it changes, then write it with `npx vitest run test/documents/infra/infra -u`.';

test('serverless package writes the template of the snapshot for prod', async () => {
  const title = '# What `serverless package --stage prod` writes, and the tags of the stack.';
  await expect(`${title}\n${advice}\n${textOf(prod)}`).toMatchFileSnapshot('template-prod.yaml');
});

test('the template for dev, with every param changed, differs from that for prod as in the snapshot', async () => {
  const lines = [
    '# How the template for dev, with another value of each param, differs from template-prod.yaml. The lines of prod have a -.',
    advice,
  ];
  let [place, shown] = ['', ''];
  for (const [only, line] of diff(textOf(prod).split('\n'), textOf(dev).split('\n'))) {
    // A resource, a param or an output.
    place = /^ {0,2}(\w+):$/.exec(line)?.[1] ?? place;
    if (only === 0) continue;
    if (place !== shown) lines.push(`@@ ${place} @@`);
    shown = place;
    lines.push(`${only === 1 ? '-' : '+'}${line}`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('template-dev.diff');
});

/** The lines of two settings together, as whoever adds them to the file has them. */
const merge = (setting: unknown, added: unknown): unknown => {
  if (!isRecord(setting) || !isRecord(added)) return added;
  const merged = Object.entries(added).map(([name, value]) => [name, merge(setting[name], value)]);
  return { ...setting, ...Object.fromEntries(merged) };
};
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

test('serverless package accepts all lines that docs say to add to serverless.yml', async () => {
  const pages = ['docs/security.md', 'docs/decisions/008-primed-init.md'];
  const blocks = pages.flatMap((page) => [
    ...readFileSync(join(projectRoot, page), 'utf8').matchAll(/```yaml\n(.*?)```/gs),
  ]);
  const add = (text: string) =>
    stringify(blocks.reduce((all, [, block = '']) => merge(all, parse(block)), parse(text)));
  const { template } = await packageService('added', ['--stage', 'prod'], add);
  const { Resources, rollbackConfiguration } = template;
  expect(rollbackConfiguration).toEqual({
    MonitoringTimeInMinutes: 15,
    RollbackTriggers: [{ ...trigger, Arn: trigger.Arn.replace('-dev-', '-prod-') }],
  });
  // CloudFormation rejects a deployment if the alarm does not exist.
  expect(Resources['ApiOutageAlarm']?.Properties['AlarmName']).toBe('space-files-prod-api-outage');
  const { VpcConfig } = Resources['UpdateFileLambdaFunction']?.Properties ?? {};
  expect(VpcConfig).toEqual({ SubnetIds: ['subnet-1', 'subnet-2'], SecurityGroupIds: ['sg-1'] });
  expect(Resources['UpdateFileRole']?.Properties['ManagedPolicyArns']).toHaveLength(1);
  expect(Resources['DomainMapping']?.Properties).toEqual({
    ApiId: { Ref: 'HttpApi' },
    DomainName: { Ref: 'Domain' },
    Stage: { Ref: 'HttpApiStage' },
  });
  const aliases = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Alias');
  expect(aliases.map(({ Properties }) => Properties['ProvisionedConcurrencyConfig'])).toEqual([
    { ProvisionedConcurrentExecutions: 10 },
  ]);
});

test('serverless package keeps the source map beside the zip, and not in it', () => {
  expect(prod.files).toContainEqual(expect.stringMatching(/^update-file\.cjs\.[0-9a-f]{16}\.map$/));
  expect(prod.zipped).toContain('dist/update-file.cjs');
  expect(prod.zipped).not.toContain('.map');
});

test('serverless package warns of a stage whose alarms nobody gets', () => {
  const warning = 'Nobody gets the alarms of this stage: set alarmEmail or alarmTopic.\n';
  expect([prod, dev].map(({ printed }) => printed.includes(warning))).toEqual([true, false]);
});

test('serverless package rejects unknown params and impossible values', async () => {
  const wrong = [
    'filesTabel=x',
    'createTables=no',
    'throttlingRate=abc',
    'throttlingBurst=1.5',
    'concurrencyAlarm=-1',
    'reservedConcurrency=-2',
  ];
  // Their names do not change: docs/contract.md, Versions.
  const params = [
    'apiKeysTable, spacesTable, filesTable, createTables, tablesKeyArn, disableDefaultEndpoint,',
    'rollbackTriggers, rollbackMinutes, alarmEmail, alarmTopic, runbook, throttlingRate, throttlingBurst,',
    'concurrencyAlarm, reservedConcurrency, tracing, codeCache, commit, logRetentionInDays',
  ];
  const problems = [
    `There is no param filesTabel. The params are ${params.join(' ')}.`,
    'throttlingRate must be a whole number.',
    'throttlingBurst must be a whole number.',
    'concurrencyAlarm must be a whole number.',
    'reservedConcurrency must be a whole number, or -1.',
    'CreateTables must be true or false.',
  ];
  await expect(packageService('wrong', paramOptions(wrong))).rejects.toThrow(problems.join('\n'));
});

test('the template for SAM has the function, and the tables of npm start', async () => {
  const { stdout } = await run(['tools/bundle/sam-template.ts']);
  const { CodeUri, Environment, Events, ...ofSam } = parse(stdout).Resources.UpdateFile.Properties;
  const endpoint = { AWS_ENDPOINT_URL_DYNAMODB: { Ref: 'Endpoint' } };
  expect(Environment.Variables).toEqual({ ...readTableNames(), ...endpoint });
  const { Resources } = prod.template;
  expect(Resources['UpdateFileLambdaFunction']?.Properties).toMatchObject(ofSam);
  const { Method, Path, PayloadFormatVersion } = Events.Http.Properties;
  expect(Object.values(Resources).map(({ Properties }) => Properties)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ RouteKey: `${Method} ${Path}` }),
      expect.objectContaining({ PayloadFormatVersion }),
    ]),
  );
});

describe('a log line has all fields that are read by', () => {
  const event = createEventReader(['spaceId', 'fileId']).readEvent(anEvent());
  const request = { ...openRequest({}, createTestSystem()), ...event };
  request.context.logFields.versionAheadMs = 1;
  Object.assign(request.context.logFields, { userId: '', tenantId: '', keyId: '', call: 'update' });
  const denied = Object.assign(new Error(), { code: 'DENIED', $metadata: { httpStatusCode: 400 } });
  const failures = [denied, new ApiError('unavailable', { reason: '', cause: denied })];
  const pathsOf = (value: object, prefix = ''): string[] =>
    Object.entries(value).flatMap(([name, inner]) =>
      typeof inner === 'object' ? pathsOf(inner, `${prefix}${name}.`) : [prefix + name],
    );
  const fields = [undefined, ...failures].flatMap((error) =>
    pathsOf(JSON.parse(toLogLine(request, { status: 500, success: 'updated', error, now: 0 }))),
  );
  const propertiesOf = (type: string) =>
    Object.values(prod.template.Resources).flatMap(({ Type, Properties }) =>
      Type === type ? [Properties] : [],
    );

  test('the metric filters', () => {
    const filters = JSON.stringify(propertiesOf('AWS::Logs::MetricFilter'));
    const read = [...filters.matchAll(/\$\.(\w+)/g)].map(([, field]) => field);
    expect(fields).toEqual(expect.arrayContaining(read));
  });

  const QuerySchema = z.object({ Name: z.string(), QueryString: z.string() });
  const queries = propertiesOf('AWS::Logs::QueryDefinition').map((query) => QuerySchema.parse(query));
  const words =
    /^(filter|stats|fields|sort|desc|as|by|or|and|not|in|like|count|sum|max|pct|bin|ispresent|coalesce|\d+m?)$/;
  const startFields = ['bundle', 'commit', 'node', 'codeCache'];
  const accessFields = ['status', 'ip', 'gatewayError', 'functionError'];

  test.each(queries)('the query $Name', ({ Name, QueryString }) => {
    const known = new Set(Name.endsWith('by the gateway') ? accessFields : [...fields, ...startFields]);
    const aliases = new Set([...QueryString.matchAll(/ as (\w+)/g)].map(([, alias]) => alias));
    const read = QueryString.replace(/"[^"]*"|like \/[^/]*\/|@\w+/g, ' ').match(/[\w.]+/g) ?? [];
    const unknown = read.filter((word) => !words.test(word) && !aliases.has(word) && !known.has(word));
    expect(unknown).toEqual([]);
    expect(read.some((word) => known.has(word))).toBe(true);
  });

  test('docs/operations.md names each saved query', () => {
    const page = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');
    const named = [...page.matchAll(/^- \*\*(.+?)\*\*:/gm)].map(([, name]) => `space-files-prod/${name}`);
    expect(named).toEqual(queries.map(({ Name }) => Name));
  });
});
