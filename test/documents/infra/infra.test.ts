import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import * as z from 'zod';
import { ApiError } from '#lib/domain/errors.ts';
import { openRequest } from '#lib/http/event.ts';
import { toLogLine } from '#lib/http/log-line.ts';
import { temporaryFolder } from '#test/support/processes.ts';
import { readTableNames } from '#tools/tables/environment.ts';
import { rules, type Settings } from './rules.ts';
import { packageService } from './template.ts';

/** The params of stage prod, which has all defaults of serverless.yml. */
const prod: Settings = {
  stage: 'prod',
  apiKeysTable: 'space-files-prod-api-keys',
  spacesTable: 'space-files-prod-spaces',
  filesTable: 'space-files-prod-files',
  runbook: 'docs/operations.md',
  logRetentionInDays: 30,
  throttlingRate: 200,
  throttlingBurst: 200,
};
/** A value for each param that stage dev does not set itself. */
const params = {
  apiKeysTable: 'Keys',
  spacesTable: 'Spaces',
  filesTable: 'Files',
  createTables: 'false',
  filesStream: 'NEW_AND_OLD_IMAGES',
  tracing: 'Active',
  alarmEmail: 'a@example.com',
  alarmTopic: 'arn:aws:sns:eu-west-1:123456789012:on-call',
  reservedConcurrency: '50',
  concurrencyAlarm: '400',
  runbook: 'https://example.com/runbook',
};
const dev: Settings = {
  ...params,
  stage: 'dev',
  logRetentionInDays: 7,
  throttlingRate: 20,
  throttlingBurst: 40,
};
const paramOptions = Object.entries(params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);

const folder = temporaryFolder();
afterAll(folder.remove);

const [ofProd, ofDev] = await Promise.all([
  packageService(join(folder.path, 'prod'), ['--stage', 'prod']),
  packageService(join(folder.path, 'dev'), paramOptions),
]);

describe.each([
  { name: 'prod', settings: prod, ...ofProd },
  { name: 'dev with every other param', settings: dev, ...ofDev },
])('packaged for $name', ({ name, template, files, zipped, settings }) => {
  test.each(rules.map((rule) => [rule.that, rule] as const))('%s', (_, { found, expected }) => {
    expect(found(template)).toEqual(expected(settings));
  });

  test('the template is the one of the snapshot', async () => {
    const header = [
      `What \`serverless package\` writes for ${name}, and the tags of the stack. Read the difference, then write it with:`,
      'npx vitest run test/documents/infra -u',
    ];
    const text = `# ${header.join('\n#   ')}\n${stringify(template, { lineWidth: 0 })}`;
    await expect(text).toMatchFileSnapshot(`template-${settings.stage}.yaml`);
  });

  test('the source map is kept beside the zip, and not in it', () => {
    expect(files).toContainEqual(expect.stringMatching(/^update-file\.cjs\.[0-9a-f]{16}\.map$/));
    expect(zipped.toString('latin1')).toContain('dist/update-file.cjs');
    expect(zipped.toString('latin1')).not.toContain('.map');
  });
});

test('unknown params and impossible values are refused', async () => {
  const wrong = [
    'filesTabel=x',
    'createTables=no',
    'filesStream=KEYS_ONLY',
    'throttlingRate=abc',
    'throttlingBurst=1.5',
    'concurrencyAlarm=-1',
    'reservedConcurrency=-2',
  ];
  const error = await packageService(
    join(folder.path, 'wrong'),
    wrong.flatMap((option) => ['--param', option]),
  ).catch(String);
  const problems = [
    /There is no param filesTabel. The params are apiKeysTable, .*/,
    ...['throttlingRate', 'throttlingBurst', 'concurrencyAlarm'].map(
      (name) => new RegExp(`${name} must be a whole number\\.`),
    ),
    /reservedConcurrency must be a whole number, or -1\./,
    /CreateTables must be true or false\./,
    /FilesStream must be '' or NEW_AND_OLD_IMAGES\./,
  ];
  expect(error).toMatch(new RegExp(problems.map(({ source }) => source).join('\n')));
});

test('the template for SAM has the function, and the tables of npm start', () => {
  const sam = parse(readFileSync(new URL('../../../tools/sam-template.yaml', import.meta.url), 'utf8'));
  const { CodeUri, Environment, Events, ...ofSam } = sam.Resources.UpdateFileLambdaFunction.Properties;
  const endpoint = { AWS_ENDPOINT_URL_DYNAMODB: { Ref: 'Endpoint' } };
  expect(Environment.Variables).toEqual({ ...readTableNames(), ...endpoint });
  const { Resources } = ofProd.template;
  expect(Resources['UpdateFileLambdaFunction']?.Properties).toMatchObject(ofSam);
  const { Method, Path, PayloadFormatVersion } = Events.Http.Properties;
  expect(Object.values(Resources).map(({ Properties }) => Properties)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ RouteKey: `${Method} ${Path}` }),
      expect.objectContaining({ PayloadFormatVersion }),
    ]),
  );
});

describe('metric filters and saved queries read only fields that a log line has', () => {
  const request = openRequest({}, {}, { now: () => 0, uptime: () => 0, newId: () => '' });
  request.context.logFields.versionAheadMs = 1;
  Object.assign(request.context.logFields, { userId: '', tenantId: '', keyId: '', call: 'update' });
  const denied = Object.assign(new Error(), { code: 'DENIED', $metadata: { httpStatusCode: 400 } });
  const failures = [denied, new ApiError('unavailable', { reason: '', cause: denied })];
  const pathsOf = (value: object, prefix = ''): string[] =>
    Object.entries(value).flatMap(([name, inner]) =>
      typeof inner === 'object' ? pathsOf(inner, `${prefix}${name}.`) : [prefix + name],
    );
  const fields = new Set(
    [undefined, ...failures].flatMap((error) =>
      pathsOf(JSON.parse(toLogLine(request, { status: 500, error, now: 0 }))),
    ),
  );
  const resources = Object.values(ofProd.template.Resources);
  const propertiesOf = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);

  test('metric filters', () => {
    const filters = JSON.stringify(propertiesOf('AWS::Logs::MetricFilter'));
    const read = new Set([...filters.matchAll(/\$\.(\w+)/g)].map(([, field]) => field));
    expect(read).toEqual(new Set(['status', 'conflicts', 'retries', 'versionAheadMs']));
    expect([...fields]).toEqual(expect.arrayContaining([...read]));
  });

  const QuerySchema = z.object({ Name: z.string(), QueryString: z.string() });
  const queries = propertiesOf('AWS::Logs::QueryDefinition').map((query) => QuerySchema.parse(query));
  const words = /^(filter|stats|fields|sort|desc|as|by|or|like|count|sum|max|pct|bin|ispresent|\d+m?)$/;
  const startFields = ['bundle', 'node', 'codeCache'];
  const accessFields = ['status', 'ip', 'gatewayError', 'functionError'];

  test.each(queries)('$Name', ({ Name, QueryString }) => {
    const known = new Set(Name.endsWith('by the gateway') ? accessFields : [...fields, ...startFields]);
    const aliases = new Set([...QueryString.matchAll(/ as (\w+)/g)].map(([, alias]) => alias));
    const read = QueryString.replace(/"[^"]*"|like \/[^/]*\/|@\w+/g, ' ').match(/[\w.]+/g) ?? [];
    const unknown = read.filter((word) => !words.test(word) && !aliases.has(word) && !known.has(word));
    expect(unknown).toEqual([]);
    expect(read.some((word) => known.has(word))).toBe(true);
  });

  test('docs/operations.md names each saved query', () => {
    const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const named = [...page.matchAll(/^- \*\*(.+?)\*\*:/gm)].map(([, name]) => `space-files-prod/${name}`);
    expect(named).toEqual(queries.map(({ Name }) => Name));
  });
});
