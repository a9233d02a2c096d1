// What would stop each request, let somebody in or lose data if one word of serverless.yml were wrong, each with its reason,
// and what the pages say of the stack. All other values stand in serverless.yml alone. test/lanes/template compares the
// package with both files.
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '#lib/runtime/live.ts';
import type { Command } from '#lib/store/tables.ts';
import { MAX_REQUEST_MS } from '#lib/times.ts';
import { anEvent } from '#test/support/event.ts';
import { aFile, FIRST_VERSION } from '#test/support/fixtures.ts';
import type { Network } from '#test/support/message-faults.ts';
import { isWritten } from '#test/support/openapi.ts';
import { expectNone, expectSentence, read } from '#test/support/pages.ts';
import { service } from '#test/support/service.ts';
import { demoTables } from '#test/support/simulated-tables.ts';
import { inWords, param, propertiesOf, serverless, stage, template } from '#test/support/stack.ts';
import { projectRoot } from '#tools/project.ts';

const { params, provider, functions } = serverless;
const isTrue = (name: string) => `\${strToBool(${param(name)})}`;
const noValue = { Ref: 'AWS::NoValue' };

// Without it, a stage has no alarm, no topic and no dashboard.
test('serverless.yml includes monitoring.yml', () => {
  expect(serverless.resources.slice(1)).toEqual([`\${file(./monitoring.yml)}`]);
});

test('serverless.yml sends one route to one function, which has no other settings of its own', () => {
  expect(functions).toEqual({
    updateFile: {
      // lib/runtime/entry.ts is built to this path.
      handler: 'dist/update-file.handler',
      role: 'UpdateFileRole',
      // The log group of all functions has its lines.
      disableLogs: true,
      events: [{ httpApi: 'PATCH /v1/spaces/{spaceId}/files/{fileId}' }],
    },
  });
  expect(provider.httpApi).toEqual({
    // lib/http/event.ts reads no other format of an HTTP API: each request would get 500.
    payload: '2.0',
    disableDefaultEndpoint: isTrue('disableDefaultEndpoint'),
  });
});

test('the function gets the tables by the variables that the code reads, and no other variable', () => {
  const { COMMIT, ...tables } = provider.environment;
  expect(readConfig({ ...tables, AWS_REGION: 'set by Lambda' })).toEqual({
    apiKeysTable: param('apiKeysTable'),
    spacesTable: param('spacesTable'),
    filesTable: param('filesTable'),
  });
  expect(Object.keys(tables)).toHaveLength(3);
  expect(read('lib/runtime/entry.ts')).toContain("process.env['COMMIT']");
  const [, unknown] = /^\${env:COMMIT, '(\w+)'}$/.exec(COMMIT) ?? [];
  expectSentence('docs/operations.md', `A deployment without this variable sets it to \`${unknown}\``);
});

test('a stage has these defaults, which pages and conditions rely on', () => {
  expect(params.default).toMatchObject({
    // README and docs/deploy.md call the API by its own address.
    disableDefaultEndpoint: 'false',
    // A stage that people rely on can have any name but dev.
    deletionProtection: 'true',
    // The first deployment of docs/deploy.md has no table yet.
    createTables: 'true',
    // The costs of docs/limits-and-cost.md are those without traces.
    tracing: 'PassThrough',
    // The conditions below compare these. A new account can reserve nothing.
    reservedConcurrency: -1,
    tablesKeyArn: '',
    alarmEmail: '',
    alarmTopic: '',
    // Mails link to the sections of this page.
    runbook: 'docs/operations.md',
  });
  expect(provider).toMatchObject({
    // A deployment that names no stage must not reach one that people rely on.
    stage: `\${opt:stage, 'dev'}`,
    deletionProtection: isTrue('deletionProtection'),
    tracing: { lambda: param('tracing') },
    // The bucket has the code that runs.
    deploymentBucket: { blockPublicAccess: true },
  });
});

const equals = (parameter: string, value: string) => ({ 'Fn::Equals': [{ Ref: parameter }, value] });
const not = (condition: object) => ({ 'Fn::Not': [condition] });
const text = (name: string) => ({ Type: 'String', Default: param(name) });

// CloudFormation rejects a mistyped value. A condition that is wrong deletes what it decides about, or creates it twice.
test('the params decide what is created by these parameters and conditions', () => {
  expect(template.Parameters).toEqual({
    ReservedConcurrency: { Type: 'Number', MinValue: -1, Default: param('reservedConcurrency') },
    Tracing: { ...text('tracing'), AllowedValues: ['Active', 'PassThrough'] },
    CreateTables: { ...text('createTables'), AllowedValues: ['true', 'false'] },
    TablesKeyArn: text('tablesKeyArn'),
    AlarmEmail: text('alarmEmail'),
    AlarmTopicArn: text('alarmTopic'),
  });
  expect(template.Conditions).toEqual({
    SharesConcurrency: equals('ReservedConcurrency', '-1'),
    Traces: equals('Tracing', 'Active'),
    CreatesTables: equals('CreateTables', 'true'),
    HasTablesKey: not(equals('TablesKeyArn', '')),
    CreatesTopic: equals('AlarmTopicArn', ''),
    SendsMail: { 'Fn::And': [{ Condition: 'CreatesTopic' }, not(equals('AlarmEmail', ''))] },
  });
});

test('what the framework makes has these properties of ours', () => {
  const propertiesOfExtension = (name: string) => template.extensions[name]?.Properties;
  expect(propertiesOfExtension('UpdateFileLambdaFunction')).toEqual({
    // A stage that nobody deploys gets security updates of Node too.
    RuntimeManagementConfig: { UpdateRuntimeOn: 'Auto' },
    ReservedConcurrentExecutions: {
      'Fn::If': ['SharesConcurrency', noValue, { Ref: 'ReservedConcurrency' }],
    },
  });
  // Nothing else holds back a client that runs out of control. Metrics of each route would cost money.
  expect(propertiesOfExtension('HttpApiStage')).toEqual({
    DefaultRouteSettings: {
      ThrottlingRateLimit: param('throttlingRate'),
      ThrottlingBurstLimit: param('throttlingBurst'),
    },
  });
});

// They contain keys and ids. Before you add a field here, make sure that it contains neither.
test('serverless.yml puts no header, query, path or body into the access log', () => {
  expect(JSON.parse(provider.logs.httpApi.format)).toEqual({
    time: '$context.requestTime',
    requestId: '$context.requestId',
    ip: '$context.identity.sourceIp',
    method: '$context.httpMethod',
    route: '$context.routeKey',
    statusCode: '$context.status',
    ms: '$context.responseLatency',
    functionMs: '$context.integrationLatency',
    gatewayError: '$context.error.responseType',
    functionError: '$context.integrationErrorMessage',
  });
});

// They have ids of users and IP addresses. The framework makes the group of the API.
test('no log is kept for ever', () => {
  expect(provider.logRetentionInDays).toBe(param('logRetentionInDays'));
  expect(propertiesOf('AWS::Logs::LogGroup')).toEqual([
    {
      LogGroupName: `\${self:provider.logs.lambda.logGroup}`,
      RetentionInDays: param('logRetentionInDays'),
    },
  ]);
});

const document = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const allow = (Action: unknown, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });

/** The tables of a call to DynamoDB. Those of the simulation have the names of the params, but for `Table`. */
const tablesOf = ({ input }: Command): readonly string[] => {
  const { TableName, RequestItems = { [TableName]: 0 } } = Object(input);
  return Object.keys(RequestItems);
};
const arnOf = (table: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${param(`${table}Table`)}`,
});

// More rights would help whoever finds a way to run code in the function. With fewer, each request gets 500.
test.skipIf(isWritten)(
  'the only role is for Lambda, with the rights that the calls of a request need and a few exact others',
  async () => {
    const tables = demoTables();
    await tables.put('files', aFile({ version: FIRST_VERSION + 7 }));
    const tablesByAction = new Map<string, Set<string>>();
    const through: Network = ({ command, deliver }) => {
      const action = `dynamodb:${command.constructor.name.replace('Command', 'Item')}`;
      const known = tablesByAction.get(action) ?? [];
      tablesByAction.set(action, new Set([...known, ...tablesOf(command)]));
      return deliver();
    };
    const { send } = service({ tables });
    const outcomes: unknown[] = [];
    // The ways of an update. The first one meets a later version, and is sent again.
    for (const overrides of [{}, { fileId: 'none' }, { headers: { 'if-match': '"1"' } }]) {
      const { line } = await send(anEvent(overrides), { through });
      outcomes.push(line['outcome'], line['conflicts'] ?? 0);
    }
    expect(outcomes).toEqual(['updated', 1, 'file-not-found', 0, 'file-changed', 0]);
    const update = document(
      ...[...tablesByAction].map(([action, names]) => allow(action, [...names].map(arnOf))),
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [{ 'Fn::GetAtt': ['FunctionsLogGroup', 'Arn'] }]),
    );
    const trace = document(allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*'));
    const useKey = document({
      ...allow(['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'], {
        Ref: 'TablesKeyArn',
      }),
      Condition: {
        StringEquals: { 'kms:ViaService': { 'Fn::Sub': `dynamodb.\${AWS::Region}.\${AWS::URLSuffix}` } },
      },
    });
    const forLambda = { Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' };
    const advice = 'serverless.yml, UpdateFileRole: compare its rights with the calls of lib/store below';
    expect(propertiesOf('AWS::IAM::Role'), advice).toEqual([
      {
        AssumeRolePolicyDocument: document({ Effect: 'Allow', ...forLambda }),
        Policies: [
          { PolicyName: 'update-file', PolicyDocument: update },
          { 'Fn::If': ['Traces', { PolicyName: 'trace', PolicyDocument: trace }, noValue] },
          { 'Fn::If': ['HasTablesKey', { PolicyName: 'tables-key', PolicyDocument: useKey }, noValue] },
        ],
      },
    ]);
  },
);

/**
 * What protects a table. RetainExceptOnCreate could not delete it after a failed first deployment, because it is protected: the
 * stack would be stuck. A policy of a table could let others in. Nothing here holds for replicas of a global table:
 * docs/limits-and-cost.md, Many Regions.
 */
const aTable = (name: string, keys: readonly string[], others: object = {}) => ({
  Type: 'AWS::DynamoDB::Table',
  Condition: 'CreatesTables',
  DeletionPolicy: 'Retain',
  UpdateReplacePolicy: 'Retain',
  Properties: {
    TableName: param(name),
    BillingMode: 'PAY_PER_REQUEST',
    DeletionProtectionEnabled: true,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    SSESpecification: {
      SSEEnabled: true,
      SSEType: 'KMS',
      KMSMasterKeyId: { 'Fn::If': ['HasTablesKey', { Ref: 'TablesKeyArn' }, noValue] },
    },
    AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keys.map((AttributeName, at) => ({ AttributeName, KeyType: ['HASH', 'RANGE'][at] })),
    ...others,
  },
});
const expiry = { TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } };
const stream = { StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } };
/** Tenant first: nobody can address the space of another tenant. */
const keysOfSpaces = ['tenantId', 'spaceId'];

// They have the only copy of the data, and outlive the stack. DynamoDB deletes what expires. A stream that was disabled gets
// no more changes, and a new one has another ARN, which no consumer reads: so no param and no condition decides about it.
const tables: Readonly<Record<string, object>> = {
  ApiKeysTable: aTable('apiKeysTable', ['keyHash'], expiry),
  SpacesTable: aTable('spacesTable', keysOfSpaces),
  FilesTable: aTable('filesTable', ['spaceId', 'fileId'], stream),
};
const resources = Object.entries(template.Resources).map(([name, resource]) => ({
  name,
  type: `${Object(resource).Type}`,
}));
const stored = resources.filter(({ type }) => type === 'AWS::DynamoDB::Table').map(({ name }) => name);
test.each([...new Set([...Object.keys(tables), ...stored])])(
  '%s is retained, protected, recoverable and encrypted, without policy or replica',
  (name) => {
    const { Metadata: _, ...found } = template.Resources[name] ?? {};
    expect(found).toEqual(tables[name] ?? expect.fail(`test/documents/stack.test.ts: add ${name} to tables`));
  },
);

// A policy could give the role more rights, or let others in. So could a URL of the function, or another permission.
const readHere =
  /^AWS::(?:CloudWatch::(?:Alarm|Dashboard)|DynamoDB::Table|IAM::Role|KMS::Key|Logs::(?:LogGroup|MetricFilter|QueryDefinition)|SNS::(?:Subscription|Topic))$/;
test('the stack has no resource of a type that no test reads', () => {
  const others = resources.filter(({ type }) => !readHere.test(type));
  expectNone(
    others.map(({ name, type }) => `${name} (${type})`),
    'test/documents/stack.test.ts: add the type to readHere, and a test of what must not change, for',
  );
});

// An alarm or a log group with a condition would be missing in some stages.
test('only tables, and the topic with its key and its mail, depend on a condition', () => {
  const canDepend = [...Object.keys(tables), 'AlarmTopic', 'AlarmKey', 'AlarmMail'];
  const others = Object.entries(template.Resources).filter(
    ([name, resource]) => Object(resource).Condition && !canDepend.includes(name),
  );
  expectNone(
    others.map(([name]) => name),
    'serverless.yml or monitoring.yml: remove the condition of',
  );
});

// The name of an output is what another stack or a person reads it by.
test('the stack has these outputs', () => {
  expect(template.Outputs).toEqual({
    ApiKeysTableName: { Value: param('apiKeysTable') },
    SpacesTableName: { Value: param('spacesTable') },
    FilesTableName: { Value: param('filesTable') },
    // docs/tables.md, Follow changes.
    FilesStreamArn: { Condition: 'CreatesTables', Value: { 'Fn::GetAtt': ['FilesTable', 'StreamArn'] } },
    AlarmTopicArn: { Value: { 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] } },
    DashboardName: { Value: { Ref: 'Dashboard' } },
  });
});

const { throttlingRate: rate, throttlingBurst: burst, logRetentionInDays: days } = params.default;
const { dev } = params;
const seconds = MAX_REQUEST_MS / 1000;
const deployments: number = provider.deploymentBucket.maxPreviousDeploymentArtifacts;
/** How many resources of a type there are. */
const count = (type: string) => propertiesOf(type).length;
const logMetrics = count('AWS::Logs::MetricFilter');
/** The name of a table, as a shell has it with the stage in a variable. */
const inShell = (table: string) => `${params.default[table]}`.replace(stage, () => 'space-files-$STAGE');

test.each([
  ['README.md', `It serves ${rate} requests per second`],
  ['docs/limits-and-cost.md', `**As deployed, the limit is ${rate} requests per second**`],
  [
    'docs/limits-and-cost.md',
    `| ${rate}, ${burst} (\`dev\`: ${dev.throttlingRate}, ${dev.throttlingBurst}) |`,
  ],
  [
    'docs/limits-and-cost.md',
    `runs for up to ${seconds} s. Then ${rate} requests per second run in ${(rate * seconds).toLocaleString('en')} environments`,
  ],
  ['docs/limits-and-cost.md', `| the function | ${provider.timeout} s, ${provider.memorySize} MB |`],
  [
    'docs/limits-and-cost.md',
    `${rate} requests per second for a month are ${Math.round((rate * 30 * 24 * 3600) / 1e6)} million requests`,
  ],
  // Each costs 0.30 dollars.
  [
    'docs/limits-and-cost.md',
    `its ${logMetrics} metrics of log lines cost up to ${(logMetrics * 0.3).toFixed(2)} dollars more`,
  ],
  ['docs/decisions/008-primed-init.md', `At ${provider.memorySize} MB, Lambda gives`],
  // A code cache fits one processor only.
  ['.github/workflows/deploy.yml', `runs-on: ubuntu-24.04-${provider.architecture.replace(/64$/, '')}`],
  ['.github/workflows/release.yml', `runs-on: ubuntu-24.04-${provider.architecture.replace(/64$/, '')}`],
  ['docs/security.md', `\`logRetentionInDays\`: ${days} days (\`dev\`: ${dev.logRetentionInDays})`],
  ['docs/operations.md', `Log lines are kept for ${days} days (\`dev\`: ${dev.logRetentionInDays})`],
  [
    'docs/operations.md',
    `The bucket keeps the last ${inWords(deployments)} deployments, so you can go back by ${inWords(deployments - 1)}`,
  ],
  ['docs/deploy.md', `| ${inWords(count('AWS::DynamoDB::Table'))} tables |`],
  // Other services query by these.
  ...propertiesOf('AWS::DynamoDB::Table').flatMap(
    ({ KeySchema: [hash, range], TimeToLiveSpecification: ttl }) => [
      ['docs/tables.md', `| \`${hash.AttributeName}\`, the partition key |`],
      ...(range ? [['docs/tables.md', `| \`${range.AttributeName}\`, the sort key |`]] : []),
      ...(ttl ? [['docs/tables.md', `| \`${ttl.AttributeName}\`, the TTL attribute |`]] : []),
    ],
  ),
  [
    'docs/deploy.md',
    `| ${inWords(count('AWS::CloudWatch::Alarm'))} alarms, a topic with a KMS key, a dashboard and ${inWords(count('AWS::Logs::QueryDefinition'))} saved queries |`,
  ],
  [
    'docs/deploy.md',
    `API_KEYS_TABLE=${inShell('apiKeysTable')} SPACES_TABLE=${inShell('spacesTable')} FILES_TABLE=${inShell('filesTable')}`,
  ],
])('%s says of the stack: %s', (page, sentence) => {
  expectSentence(page, sentence);
});

const pages = globSync(['*.md', 'docs/*.md'], { cwd: projectRoot, exclude: ['CHANGELOG.md'] });
// SAM and CDK keep the value of a parameter that they are not given, whatever its default is now.
test('docs/other-tools.md lists the params that are parameters of the template', () => {
  const rows = Object.entries(template.Parameters).map(
    ([name, parameter]) =>
      `| \`${/^\${param:(\w+)}$/.exec(Object(parameter).Default)?.[1]}\` | \`${name}\` |`,
  );
  expect(read('docs/other-tools.md').match(/^\| `.*$/gm)).toEqual(rows.toSorted());
});

const stackName = `${serverless.service}-prod`;
/** A name with the stage and the Region as the pages write them. */
const toName = (value: unknown) =>
  (typeof value === 'string' ? value : `${Object(value)['Fn::Sub']}`)
    .replace(`\${self:provider.logs.lambda.logGroup}`, () => provider.logs.lambda.logGroup)
    .replaceAll(/\${param:(\w+)}/g, (_, name) => params.default[name])
    .replace(stage, stackName)
    .replace(`\${AWS::Region}`, 'REGION');
const names = Object.values(template.Resources).flatMap((resource) =>
  Object.entries<unknown>(Object(resource).Properties).flatMap(([key, value]) =>
    key.endsWith('Name') ? [toName(value)] : [],
  ),
);
const ofFramework = [
  stackName,
  `/aws/http-api/${stackName}`,
  ...Object.keys(functions).map((name) => `${stackName}-${name}`),
  // docs/deploy-from-github.md creates this role.
  `${stackName}-deploy`,
];
// Nobody should look at night for what is not there.
test.each(pages)('the stack has each resource and output that %s names', (page) => {
  const text = read(page);
  const resources = (text.match(/(?:\/aws\/[\w-]+\/)?(?:\w+-)?space-files(?:-[\w$]+)*/g) ?? []).filter(
    (name) => /prod|STAGE|REGION/.test(name),
  );
  const outputs = [...text.matchAll(/\boutput\s+`(\w+)`/g)].map(([, name = '']) => name);
  const known = [...names, ...ofFramework, ...Object.keys(template.Outputs)];
  const missing = [...resources, ...outputs].filter(
    (name) => !known.includes(name.replace('$STAGE', 'prod')),
  );
  expectNone(missing, `${page} names what the stack does not have`);
});

test.each([
  ['dashboard', 'AWS::CloudWatch::Dashboard'],
  ['saved quer(?:y|ies)', 'AWS::Logs::QueryDefinition'],
  ['alarms?', 'AWS::CloudWatch::Alarm'],
])('pages speak of a %s only if monitoring.yml has one', (word, type) => {
  const speaking = pages.filter((page) => new RegExp(`\\b${word}\\b`).test(read(page)));
  expectNone(count(type) > 0 ? [] : speaking, `monitoring.yml has no ${type}, but these pages speak of one`);
});
