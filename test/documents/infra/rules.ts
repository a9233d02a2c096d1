import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Template } from './template.ts';

/** The values of the params that the rules name. */
export type Settings = Readonly<
  Record<'stage' | 'apiKeysTable' | 'spacesTable' | 'filesTable' | 'runbook', string> &
    Record<'logRetentionInDays' | 'throttlingRate' | 'throttlingBurst', number>
>;
/** What no change of serverless.yml may undo: a part of the packaged template, and what it has to be. */
type Rule = {
  readonly that: string;
  readonly found: (template: Template) => unknown;
  readonly expected: (settings: Settings) => unknown;
};
type Resource = Readonly<Record<string, unknown>>;

/** The resources of some types, with their ids, and their properties beside the other attributes. */
const resourcesOf = (template: Template, types: RegExp): Resource[] =>
  Object.entries(template.Resources)
    .filter(([, { Type }]) => types.test(Type))
    .map(([id, { Properties, ...rest }]) => ({ id, ...rest, ...Properties }));
/** Some attributes of each resource of some types. */
const pick = (template: Template, types: RegExp, ...names: string[]): Resource[] =>
  resourcesOf(template, types).map((resource) =>
    Object.fromEntries(names.map((name) => [name, resource[name]])),
  );
/** All objects within a value that fit a schema. */
const findAll = <Schema extends z.ZodType>(value: unknown, schema: Schema): z.infer<Schema>[] => {
  if (typeof value !== 'object' || value === null) return [];
  const parsed = schema.safeParse(value);
  const inner = Object.values(value).flatMap((part) => findAll(part, schema));
  return parsed.success ? [parsed.data, ...inner] : inner;
};

const StatementSchema = z.looseObject({ Effect: z.string(), Action: z.unknown() });
const PeriodSchema = z.object({ Period: z.number() });
const DimensionsSchema = z.array(z.object({ Name: z.string() })).default([]);
const MetricSchema = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: DimensionsSchema,
});
/** Without dimensions. */
const TransformationSchema = z.strictObject({
  MetricNamespace: z.string(),
  MetricName: z.string(),
  MetricValue: z.string(),
  Unit: z.string(),
});
const AlarmSchema = z.object({ AlarmName: z.string(), AlarmDescription: z.string() });
const LogSettingsSchema = z.object({ Format: z.string() });

const tables = /^AWS::DynamoDB::/;
const alarms = /^AWS::CloudWatch::.*Alarm$/;
const lambda = /^AWS::Lambda::Function$/;

const allow = (Action: unknown, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });
const arnOf = (table: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${table}`,
});
const safeTable = {
  Type: 'AWS::DynamoDB::Table',
  Condition: 'CreatesTables',
  DeletionPolicy: 'Retain',
  UpdateReplacePolicy: 'Retain',
  DeletionProtectionEnabled: true,
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
  ResourcePolicy: undefined,
};
const key = (HASH: string, RANGE?: string) => [
  { AttributeName: HASH, KeyType: 'HASH' },
  ...(RANGE === undefined ? [] : [{ AttributeName: RANGE, KeyType: 'RANGE' }]),
];
const notifying = {
  AlarmActions: [{ 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] }],
  ComparisonOperator: 'GreaterThanThreshold',
  TreatMissingData: 'notBreaching',
};
const runbook = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
/** The sections of the first chapter. */
const alarmNames = [...(runbook.split(/^## /m)[1] ?? '').matchAll(/^### (.+)$/gm)].map(([, name]) => name);

export const rules: readonly Rule[] = [
  {
    // Replicas of a global table can lose an acknowledged field: docs/scaling.md, Many Regions.
    that: 'the tables are retained, protected, recoverable and encrypted, without policy or replica',
    found: (template) => pick(template, tables, ...Object.keys(safeTable)),
    expected: () => [safeTable, safeTable, safeTable],
  },
  {
    that: 'the tables have the keys of the contract, and only API keys expire',
    found: (template) => pick(template, tables, 'TableName', 'KeySchema', 'TimeToLiveSpecification'),
    expected: ({ apiKeysTable, spacesTable, filesTable }) => [
      {
        TableName: apiKeysTable,
        KeySchema: key('keyHash'),
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
      { TableName: spacesTable, KeySchema: key('tenantId', 'spaceId') },
      { TableName: filesTable, KeySchema: key('spaceId', 'fileId') },
    ],
  },
  {
    that: 'the role reads keys and spaces, updates files, writes its log and may send traces, nothing else',
    found: (template) => findAll(pick(template, /^AWS::IAM::/, 'Policies'), StatementSchema),
    expected: ({ apiKeysTable, spacesTable, filesTable }) => [
      allow('dynamodb:BatchGetItem', [arnOf(apiKeysTable), arnOf(spacesTable)]),
      allow('dynamodb:UpdateItem', [arnOf(filesTable)]),
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [{ 'Fn::GetAtt': ['UpdateFileLogGroup', 'Arn'] }]),
      allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*'),
    ],
  },
  {
    that: 'there is one role, for Lambda only, without managed policies',
    found: (template) => [
      pick(template, /^AWS::IAM::/, 'id', 'ManagedPolicyArns'),
      findAll(pick(template, /^AWS::IAM::/, 'AssumeRolePolicyDocument'), StatementSchema),
    ],
    expected: () => [
      [{ id: 'UpdateFileRole' }],
      [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    ],
  },
  {
    that: 'only the API of the stack may invoke the function',
    found: (template) => pick(template, /^AWS::Lambda::(?!Function$)/, 'Principal', 'SourceArn'),
    expected: () => [
      {
        Principal: 'apigateway.amazonaws.com',
        SourceArn: { 'Fn::Join': ['', expect.arrayContaining([':execute-api:', { Ref: 'HttpApi' }, '/*'])] },
      },
    ],
  },
  {
    that: 'the environment of the function is the names of the tables, without a secret',
    found: (template) => pick(template, lambda, 'Environment'),
    expected: ({ apiKeysTable, spacesTable, filesTable }) => [
      {
        Environment: {
          Variables: { API_KEYS_TABLE: apiKeysTable, SPACES_TABLE: spacesTable, FILES_TABLE: filesTable },
        },
      },
    ],
  },
  {
    that: 'memory, time and concurrency are as docs/operations.md has them; API Gateway waits longer',
    found: (template) => [
      ...pick(template, lambda, 'MemorySize', 'Timeout', 'ReservedConcurrentExecutions'),
      ...pick(template, /Integration$/, 'TimeoutInMillis'),
    ],
    expected: () => [
      {
        MemorySize: 512,
        Timeout: 10,
        ReservedConcurrentExecutions: {
          'Fn::If': ['SharesConcurrency', { Ref: 'AWS::NoValue' }, { Ref: 'ReservedConcurrency' }],
        },
      },
      { TimeoutInMillis: 30_000 },
    ],
  },
  {
    that: 'the API has the route of the contract only, and no CORS',
    found: (template) => pick(template, /^AWS::ApiGatewayV2::(Api|Route)$/, 'RouteKey', 'CorsConfiguration'),
    expected: () => [{}, { RouteKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}' }],
  },
  {
    that: 'the only stage is throttled as the params say, and has metrics per route',
    found: (template) => pick(template, /::Stage$/, 'DefaultRouteSettings'),
    expected: ({ throttlingRate: ThrottlingRateLimit, throttlingBurst: ThrottlingBurstLimit }) => [
      { DefaultRouteSettings: { DetailedMetricsEnabled: true, ThrottlingRateLimit, ThrottlingBurstLimit } },
    ],
  },
  {
    that: 'the access log is JSON without header, query, path or body',
    found: (template) =>
      findAll(resourcesOf(template, /::Stage$/), LogSettingsSchema).map(({ Format }) =>
        Object.values(JSON.parse(Format)).join(' '),
      ),
    expected: () => [
      '$context.requestTime $context.requestId $context.identity.sourceIp $context.httpMethod $context.routeKey ' +
        '$context.status $context.responseLatency $context.integrationLatency $context.error.responseType ' +
        '$context.integrationErrorMessage',
    ],
  },
  {
    that: 'no bucket is public, and the code is reached by TLS only',
    found: (template) => [
      ...pick(template, /::Bucket$/, 'PublicAccessBlockConfiguration'),
      ...findAll(resourcesOf(template, /::BucketPolicy$/), StatementSchema),
    ],
    expected: () => [
      {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      },
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': false } } }),
    ],
  },
  {
    that: 'the function and the API each have a log group, and no log is kept for ever',
    found: (template) => pick(template, /::LogGroup$/, 'LogGroupName', 'RetentionInDays'),
    expected: ({ stage, logRetentionInDays: RetentionInDays }) => [
      { LogGroupName: `/aws/lambda/space-files-${stage}-updateFile`, RetentionInDays },
      { LogGroupName: `/aws/http-api/space-files-${stage}`, RetentionInDays },
    ],
  },
  {
    // A dimension would create one metric per caller. The word outcome is in every line of the function, so that an id
    // which a caller chose cannot count as a timeout.
    that: 'metrics of the log have no dimension, and callers cannot fake a timeout',
    found: (template) =>
      resourcesOf(template, /::MetricFilter$/).flatMap(({ FilterPattern, MetricTransformations }) =>
        findAll(MetricTransformations, TransformationSchema).map(({ MetricNamespace, MetricName }) =>
          [MetricNamespace, MetricName, FilterPattern].join(' '),
        ),
      ),
    expected: ({ stage }) => [
      `space-files/${stage} InvalidApiKeys { $.status = 401 }`,
      `space-files/${stage} WriteConflicts { $.conflicts > 0 }`,
      `space-files/${stage} DynamodbRetries { $.retries > 0 }`,
      `space-files/${stage} VersionsAhead { $.versionAheadMs > 0 }`,
      `space-files/${stage} Timeouts "Task timed out after" -outcome`,
    ],
  },
  {
    that: 'each alarm gives a reason and links to its section of docs/operations.md, in the same order',
    found: (template) =>
      findAll(resourcesOf(template, alarms), AlarmSchema).map(({ AlarmName, AlarmDescription }) => [
        AlarmName,
        ...AlarmDescription.split(/(?<=^.{80,}) What to do: /).slice(1),
      ]),
    expected: ({ stage, runbook: page }) =>
      alarmNames.map((name) => [`space-files-${stage}-${name}`, `${page}#${name}`]),
  },
  {
    that: 'each alarm notifies the topic, and does not fire because nothing is measured',
    found: (template) => pick(template, alarms, ...Object.keys(notifying)),
    expected: () => alarmNames.map(() => notifying),
  },
  {
    that: 'an alarm needs at least 10 minutes, so that a short disturbance sends no mail',
    found: (template) => [
      new Set(findAll(resourcesOf(template, alarms), PeriodSchema).map(({ Period }) => Period)),
      resourcesOf(template, alarms).filter(({ DatapointsToAlarm }) => !(Number(DatapointsToAlarm) >= 2)),
    ],
    expected: () => [new Set([300]), []],
  },
  {
    // An alarm on another name never fires. The names are in these guides of AWS: "Working with metrics for HTTP APIs",
    // "Types of metrics for Lambda functions" and "DynamoDB metrics and dimensions".
    that: 'alarms watch metrics that AWS or a filter of the log creates, with their dimensions',
    found: (template) =>
      new Set(
        findAll(resourcesOf(template, alarms), MetricSchema).map(({ Namespace, MetricName, Dimensions }) =>
          [Namespace, MetricName, ...Dimensions.map(({ Name }) => Name)].join(' '),
        ),
      ),
    expected: ({ stage }) =>
      new Set([
        'AWS/ApiGateway 5xx ApiId Stage',
        'AWS/ApiGateway Count ApiId Stage',
        'AWS/ApiGateway Latency ApiId Stage',
        'AWS/DynamoDB ReadThrottleEvents TableName',
        'AWS/DynamoDB SystemErrors TableName Operation',
        'AWS/DynamoDB WriteThrottleEvents TableName',
        'AWS/Lambda ConcurrentExecutions FunctionName',
        'AWS/Lambda Errors FunctionName',
        'AWS/Lambda Throttles FunctionName',
        ...['DynamodbRetries', 'InvalidApiKeys', 'Timeouts', 'WriteConflicts'].map(
          (name) => `space-files/${stage} ${name}`,
        ),
      ]),
  },
  {
    // Otherwise the alarm is not delivered, and nobody notices.
    that: 'CloudWatch may use the key of the alarm topic, for alarms of this account',
    found: (template) => [
      ...pick(template, /::Topic$/, 'KmsMasterKeyId'),
      ...findAll(resourcesOf(template, /^AWS::KMS::/), StatementSchema).slice(1),
    ],
    expected: () => [
      { KmsMasterKeyId: { Ref: 'AlarmKey' } },
      {
        ...allow(['kms:Decrypt', 'kms:GenerateDataKey'], '*'),
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ],
  },
];
