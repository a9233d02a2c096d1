// What no change of serverless.yml may undo, on the snapshot of the packaged template for stage prod. The stages differ
// in the values of the params only: the snapshot for dev shows them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const ResourceSchema = z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) });
const TemplateSchema = z.object({ Resources: z.record(z.string(), ResourceSchema) });
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { Resources } = TemplateSchema.parse(parse(read('template-prod.yaml')));

/** The resources of some types: their properties beside their other attributes. */
const resourcesOf = (types: RegExp) =>
  Object.values(Resources)
    .filter(({ Type }) => types.test(Type))
    .map(({ Properties, ...rest }): Readonly<Record<string, unknown>> => ({ ...rest, ...Properties }));
/** Some attributes of each of them. */
const pick = (types: RegExp, ...names: string[]) =>
  resourcesOf(types).map((resource) => Object.fromEntries(names.map((name) => [name, resource[name]])));
/** All objects that have an attribute, anywhere in the resources of some types. */
const objectsWith = (attribute: string, types: RegExp) => {
  const found: Readonly<Record<string, unknown>>[] = [];
  JSON.stringify(resourcesOf(types), (_, value) => {
    if (value?.[attribute] !== undefined) found.push(value);
    return value;
  });
  return found;
};

const tables = /^AWS::DynamoDB::/;
const lambda = /^AWS::Lambda::Function$/;
const alarms = /^AWS::CloudWatch::.*Alarm$/;

// Replicas of a global table can lose an acknowledged field: docs/scaling.md, Many Regions.
test('the tables are retained, protected, recoverable and encrypted, without policy or replica', () => {
  const safe = {
    Type: 'AWS::DynamoDB::Table',
    Condition: 'CreatesTables',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    DeletionProtectionEnabled: true,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    ResourcePolicy: undefined,
  };
  expect(pick(tables, ...Object.keys(safe))).toEqual([safe, safe, safe]);
});

test('the tables have the keys of the contract, and only API keys expire', () => {
  const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' });
  const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' });
  const expiry = { AttributeName: 'expiresAt', Enabled: true };
  expect(pick(tables, 'TableName', 'KeySchema', 'TimeToLiveSpecification')).toEqual([
    { TableName: 'space-files-prod-api-keys', KeySchema: [hash('keyHash')], TimeToLiveSpecification: expiry },
    { TableName: 'space-files-prod-spaces', KeySchema: [hash('tenantId'), range('spaceId')] },
    { TableName: 'space-files-prod-files', KeySchema: [hash('spaceId'), range('fileId')] },
  ]);
});

const document = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const allow = (Action: unknown, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });
const arnOf = (table: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/space-files-prod-${table}`,
});

test('the only role is for Lambda: it reads keys and spaces, updates files, logs and may send traces', () => {
  const forLambda = { Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' };
  const update = document(
    allow('dynamodb:BatchGetItem', [arnOf('api-keys'), arnOf('spaces')]),
    allow('dynamodb:UpdateItem', [arnOf('files')]),
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [{ 'Fn::GetAtt': ['UpdateFileLogGroup', 'Arn'] }]),
  );
  const trace = document(allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*'));
  expect(resourcesOf(/^AWS::IAM::/)).toEqual([
    {
      Type: 'AWS::IAM::Role',
      AssumeRolePolicyDocument: document({ Effect: 'Allow', ...forLambda }),
      Policies: [
        { PolicyName: 'update-file', PolicyDocument: update },
        { 'Fn::If': ['Traces', { PolicyName: 'trace', PolicyDocument: trace }, { Ref: 'AWS::NoValue' }] },
      ],
    },
  ]);
});

test('only the API of the stack may invoke the function', () => {
  const ofApi = expect.arrayContaining([':execute-api:', { Ref: 'HttpApi' }, '/*']);
  expect(pick(/^AWS::Lambda::(?!Function$)/, 'Principal', 'SourceArn')).toEqual([
    { Principal: 'apigateway.amazonaws.com', SourceArn: { 'Fn::Join': ['', ofApi] } },
  ]);
});

test('the environment of the function is the names of the tables, without a secret', () => {
  const Variables = {
    API_KEYS_TABLE: 'space-files-prod-api-keys',
    SPACES_TABLE: 'space-files-prod-spaces',
    FILES_TABLE: 'space-files-prod-files',
  };
  expect(pick(lambda, 'Environment')).toEqual([{ Environment: { Variables } }]);
});

test('the function has the memory, time and concurrency of docs/operations.md, and API Gateway waits longer', () => {
  const ReservedConcurrentExecutions = {
    'Fn::If': ['SharesConcurrency', { Ref: 'AWS::NoValue' }, { Ref: 'ReservedConcurrency' }],
  };
  expect(pick(lambda, 'MemorySize', 'Timeout', 'ReservedConcurrentExecutions')).toEqual([
    { MemorySize: 512, Timeout: 10, ReservedConcurrentExecutions },
  ]);
  expect(pick(/Integration$/, 'TimeoutInMillis')).toEqual([{ TimeoutInMillis: 30_000 }]);
});

test('the API has the route of the contract only, and no CORS', () => {
  expect(pick(/^AWS::ApiGatewayV2::(Api|Route)$/, 'RouteKey', 'CorsConfiguration')).toEqual([
    {},
    { RouteKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}' },
  ]);
});

test('the only stage of the API throttles, measures each route, and logs no header, query, path or body', () => {
  const [stage, ...others] = resourcesOf(/::Stage$/);
  expect(others).toEqual([]);
  expect(stage?.['DefaultRouteSettings']).toEqual({
    DetailedMetricsEnabled: true,
    ThrottlingRateLimit: 200,
    ThrottlingBurstLimit: 200,
  });
  const { Format } = Object(stage?.['AccessLogSettings']);
  expect(JSON.parse(Format)).toEqual({
    time: '$context.requestTime',
    requestId: '$context.requestId',
    ip: '$context.identity.sourceIp',
    method: '$context.httpMethod',
    route: '$context.routeKey',
    status: '$context.status',
    ms: '$context.responseLatency',
    functionMs: '$context.integrationLatency',
    gatewayError: '$context.error.responseType',
    functionError: '$context.integrationErrorMessage',
  });
});

test('no bucket is public, and only TLS reaches the code', () => {
  const PublicAccessBlockConfiguration = {
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  };
  expect(pick(/::Bucket$/, 'PublicAccessBlockConfiguration')).toEqual([{ PublicAccessBlockConfiguration }]);
  expect(objectsWith('Effect', /::BucketPolicy$/)).toEqual([
    expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': false } } }),
  ]);
});

test('the function and the API each have a log group, and no log is kept for ever', () => {
  expect(pick(/::LogGroup$/, 'LogGroupName', 'RetentionInDays')).toEqual([
    { LogGroupName: '/aws/lambda/space-files-prod-updateFile', RetentionInDays: 30 },
    { LogGroupName: '/aws/http-api/space-files-prod', RetentionInDays: 30 },
  ]);
});

// A dimension would create one metric per caller. The word outcome is in every line of the function, so that an id
// which a caller chose cannot count as a timeout.
test('metrics of the log have no dimension, and callers cannot fake a timeout', () => {
  const metric = (MetricName: string, FilterPattern: string, MetricValue = '1') => ({
    FilterPattern,
    MetricTransformations: [{ MetricNamespace: 'space-files/prod', MetricName, MetricValue, Unit: 'Count' }],
  });
  expect(pick(/::MetricFilter$/, 'FilterPattern', 'MetricTransformations')).toEqual([
    metric('InvalidApiKeys', '{ $.status = 401 }'),
    metric('WriteConflicts', '{ $.conflicts > 0 }', '$.conflicts'),
    metric('DynamodbRetries', '{ $.retries > 0 }', '$.retries'),
    metric('VersionsAhead', '{ $.versionAheadMs > 0 }'),
    metric('Timeouts', '"Task timed out after" -outcome'),
  ]);
});

/** The sections of the first chapter of the runbook. */
const [, chapter = ''] = read('../../../docs/operations.md').split(/^## /m);
const sections = [...chapter.matchAll(/^### (.+)$/gm)].map(([, name]) => name);

test('each alarm gives a reason and links to its section of docs/operations.md, in the same order', () => {
  const linked = pick(alarms, 'AlarmName', 'AlarmDescription');
  expect(linked).toEqual(
    sections.map((name) => ({
      AlarmName: `space-files-prod-${name}`,
      AlarmDescription: expect.stringMatching(`^.{80,} What to do: docs/operations\\.md#${name}$`),
    })),
  );
});

test('each alarm notifies the topic, does not fire because nothing is measured, and needs 10 minutes', () => {
  const notifying = {
    AlarmActions: [{ 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] }],
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
  };
  expect(pick(alarms, ...Object.keys(notifying))).toEqual(sections.map(() => notifying));
  // A short disturbance sends no mail.
  expect(new Set(objectsWith('Period', alarms).map(({ Period }) => Period))).toEqual(new Set([300]));
  expect(resourcesOf(alarms).filter(({ DatapointsToAlarm }) => !(Number(DatapointsToAlarm) >= 2))).toEqual(
    [],
  );
});

// An alarm on another name never fires. The names are in these guides of AWS: "Working with metrics for HTTP APIs",
// "Types of metrics for Lambda functions" and "DynamoDB metrics and dimensions".
test('alarms watch metrics that AWS or a filter of the log creates, with their dimensions', () => {
  const watched = objectsWith('MetricName', alarms).map(({ Namespace, MetricName, Dimensions = [] }) =>
    [Namespace, MetricName, ...[Dimensions].flat().map((dimension) => Object(dimension).Name)].join(' '),
  );
  expect([...new Set(watched)].toSorted()).toEqual([
    'AWS/ApiGateway 5xx ApiId Stage',
    'AWS/ApiGateway Count ApiId Stage',
    'AWS/ApiGateway Latency ApiId Stage',
    'AWS/DynamoDB ReadThrottleEvents TableName',
    'AWS/DynamoDB SystemErrors TableName Operation',
    'AWS/DynamoDB WriteThrottleEvents TableName',
    'AWS/Lambda ConcurrentExecutions FunctionName',
    'AWS/Lambda Errors FunctionName',
    'AWS/Lambda Throttles FunctionName',
    'space-files/prod DynamodbRetries',
    'space-files/prod InvalidApiKeys',
    'space-files/prod Timeouts',
    'space-files/prod WriteConflicts',
  ]);
});

// Otherwise the alarm is not delivered, and nobody notices.
test('CloudWatch may use the key of the alarm topic, for alarms of this account', () => {
  expect(pick(/::Topic$/, 'KmsMasterKeyId')).toEqual([{ KmsMasterKeyId: { Ref: 'AlarmKey' } }]);
  const [, ...ofServices] = objectsWith('Effect', /^AWS::KMS::/);
  expect(ofServices).toEqual([
    {
      ...allow(['kms:Decrypt', 'kms:GenerateDataKey'], '*'),
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
});
