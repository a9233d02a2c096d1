// What no change of serverless.yml may undo, each with its reason, on the packaged template for stage prod. A value without
// a reason is in the snapshots only. The stages differ in the values of the params: template-dev.diff shows them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { operations } from '#test/support/openapi.ts';

const ResourceSchema = z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) });
const TemplateSchema = z.object({ Resources: z.record(z.string(), ResourceSchema) });
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { Resources } = TemplateSchema.parse(parse(read('template-prod.yaml')));
/** The same resources before the framework fills in params. */
const { resources: source } = z
  .object({ resources: TemplateSchema })
  .parse(parse(read('../../../serverless.yml')));

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
const filters = /^AWS::Logs::MetricFilter$/;
const alarms = /^AWS::CloudWatch::.*Alarm$/;

// They have the only copy of the data, and outlive the stack. RetainExceptOnCreate could not delete them after a failed first
// deployment, because they are protected: the stack would be stuck. A policy of a table could let others in. Replicas of a global
// table can lose an acknowledged field: docs/scaling.md, Many Regions.
test('the tables are retained, protected, recoverable and encrypted, without policy or replica', () => {
  const safe = {
    Type: 'AWS::DynamoDB::Table',
    Condition: 'CreatesTables',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    DeletionProtectionEnabled: true,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    SSESpecification: {
      SSEEnabled: true,
      SSEType: 'KMS',
      KMSMasterKeyId: { 'Fn::If': ['HasTablesKey', { Ref: 'TablesKeyArn' }, { Ref: 'AWS::NoValue' }] },
    },
    ResourcePolicy: undefined,
  };
  expect(pick(tables, ...Object.keys(safe))).toEqual([safe, safe, safe]);
});

// DynamoDB deletes what expires.
test('only API keys expire', () => {
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: true };
  expect(pick(tables, 'TableName', 'TimeToLiveSpecification')).toEqual([
    { TableName: 'space-files-prod-api-keys', TimeToLiveSpecification },
    { TableName: 'space-files-prod-spaces' },
    { TableName: 'space-files-prod-files' },
  ]);
});

// A stream that was disabled gets no more changes. If it is enabled again, it has another ARN, which no consumer reads. So
// no param and no condition may decide about it: a deployment could leave out the one, and a rollback undo the other.
test('no deployment can end the stream of the files table', () => {
  const streams = [source, { Resources }].map(
    (template) => template.Resources['FilesTable']?.Properties['StreamSpecification'],
  );
  const always = { StreamViewType: 'NEW_AND_OLD_IMAGES' };
  expect(streams).toEqual([always, always]);
});

const document = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const allow = (Action: unknown, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });
const arnOf = (table: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/space-files-prod-${table}`,
});

const functionNames = Object.keys(Resources).filter((name) => lambda.test(Resources[name]?.Type ?? ''));
/** What each function must have, as often as there are functions. */
const ofEach = <Value>(value: Value) => functionNames.map(() => value);

// More rights would help whoever finds a way to run code in a function.
test('each function has a role of its own, for Lambda: it reads keys and spaces, logs, and may trace and decrypt', () => {
  const forLambda = { Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' };
  const rights = (ofFiles: unknown) => [
    allow('dynamodb:BatchGetItem', [arnOf('api-keys'), arnOf('spaces')]),
    allow(ofFiles, [arnOf('files')]),
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [{ 'Fn::GetAtt': ['FunctionsLogGroup', 'Arn'] }]),
  ];
  const trace = document(allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*'));
  const useKey = document({
    ...allow(['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'], {
      Ref: 'TablesKeyArn',
    }),
    Condition: {
      StringEquals: { 'kms:ViaService': { 'Fn::Sub': `dynamodb.\${AWS::Region}.amazonaws.com` } },
    },
  });
  const unless = { Ref: 'AWS::NoValue' };
  const roleWith = (ofFiles: unknown) => ({
    Type: 'AWS::IAM::Role',
    AssumeRolePolicyDocument: document({ Effect: 'Allow', ...forLambda }),
    Policies: [
      { PolicyName: expect.any(String), PolicyDocument: document(...rights(ofFiles)) },
      { 'Fn::If': ['Traces', { PolicyName: 'trace', PolicyDocument: trace }, unless] },
      { 'Fn::If': ['HasTablesKey', { PolicyName: 'tables-key', PolicyDocument: useKey }, unless] },
    ],
  });
  const oneAction = expect.stringMatching(/^dynamodb:[A-Z]\w+$/);
  expect(resourcesOf(/^AWS::IAM::/)).toEqual(ofEach(roleWith(oneAction)));
  expect(Resources['UpdateFileRole']?.Properties).toMatchObject({
    Policies: [{ PolicyDocument: document(...rights('dynamodb:UpdateItem')) }, {}, {}],
  });
  expect(pick(lambda, 'Role')).toEqual(
    functionNames.map((name) => ({
      Role: { 'Fn::GetAtt': [name.replace(/LambdaFunction$/, 'Role'), 'Arn'] },
    })),
  );
});

// Another caller would go around the throttle, the access log and the alarms.
test('only the API of the stack may invoke a function', () => {
  const ofApi = expect.arrayContaining([':execute-api:', { Ref: 'HttpApi' }, '/*']);
  expect(pick(/^AWS::Lambda::(?!Function$)/, 'Principal', 'SourceArn')).toEqual(
    ofEach({ Principal: 'apigateway.amazonaws.com', SourceArn: { 'Fn::Join': ['', ofApi] } }),
  );
});

// Whoever may read the settings of a function sees its variables.
test('the environment of each function is the names of the tables and the commit, without a secret', () => {
  const name = expect.any(String);
  const Variables = { API_KEYS_TABLE: name, SPACES_TABLE: name, FILES_TABLE: name, COMMIT: name };
  expect(pick(lambda, 'Environment')).toEqual(ofEach({ Environment: { Variables } }));
});

// A request ends itself after 5 s. If somebody ends it before, the caller gets no response of the contract.
test('Lambda waits longer than a request takes, and API Gateway waits longer than Lambda', () => {
  const seconds = resourcesOf(lambda).map(({ Timeout }) => Number(Timeout));
  const ms = resourcesOf(/Integration$/).map(({ TimeoutInMillis }) => Number(TimeoutInMillis));
  expect(Math.min(...seconds)).toBeGreaterThan(5);
  expect(Math.min(...ms)).toBeGreaterThan(Math.max(...seconds) * 1_000);
});

// No function serves another route. With CORS, web pages would call the API, and show their key to every visitor.
test('the API has the routes of openapi.yaml only, and no CORS', () => {
  const routes = pick(/^AWS::ApiGatewayV2::Route$/, 'RouteKey').map(({ RouteKey }) => RouteKey);
  expect(routes.toSorted()).toEqual(operations.toSorted());
  expect(pick(/^AWS::ApiGatewayV2::Api$/, 'CorsConfiguration')).toEqual([{}]);
});

// Nothing else limits the cost: the tables are on demand.
test('each stage of the API throttles', () => {
  const limits = { ThrottlingRateLimit: expect.any(Number), ThrottlingBurstLimit: expect.any(Number) };
  expect(pick(/::Stage$/, 'DefaultRouteSettings', 'RouteSettings')).toEqual([
    { DefaultRouteSettings: expect.objectContaining(limits) },
  ]);
});

// They contain keys and ids. Before you add a field here, make sure that it contains neither.
test('the access log has no header, query, path or body', () => {
  const [format] = resourcesOf(/::Stage$/).map(({ AccessLogSettings }) => Object(AccessLogSettings).Format);
  expect(JSON.parse(format)).toEqual({
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

// The bucket has the code that runs.
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

// If a group is missing, Lambda creates it, and keeps its lines for ever. They have ids of users and IP addresses.
test('the functions and the API each have a log group, and no log is kept for ever', () => {
  const RetentionInDays = expect.any(Number);
  const LogGroup = '/aws/lambda/space-files-prod';
  expect(pick(/::LogGroup$/, 'LogGroupName', 'RetentionInDays')).toEqual([
    { LogGroupName: '/aws/http-api/space-files-prod', RetentionInDays },
    { LogGroupName: LogGroup, RetentionInDays },
  ]);
  expect(pick(lambda, 'LoggingConfig')).toEqual(ofEach({ LoggingConfig: { LogGroup } }));
});

// A dimension would create one metric per caller. A caller chooses ids, which are texts in the line of the function. No
// such text is a field of the line, and the word outcome is in every one. API Gateway alone writes the access log.
test('metrics of logs have no dimension, and callers cannot fake what they count', () => {
  expect(objectsWith('Dimensions', filters)).toEqual([]);
  const aNumber = String.raw`\$\.\w+ [=>] \d+`;
  const numbersOfTheLine = expect.stringMatching(`^\\{ ${aNumber}( \\|\\| ${aNumber})* \\}$`);
  const functionLog = { Ref: 'FunctionsLogGroup' };
  expect(pick(filters, 'LogGroupName', 'FilterPattern')).toEqual([
    { LogGroupName: { Ref: 'HttpApiLogGroup' }, FilterPattern: '{ $.status = "429" }' },
    ...Array(5).fill({ LogGroupName: functionLog, FilterPattern: numbersOfTheLine }),
    { LogGroupName: functionLog, FilterPattern: '"Task timed out after" -outcome' },
  ]);
});

/** The sections of the first chapter of the runbook. */
const [, chapter = ''] = read('../../../docs/operations.md').split(/^## /m);
const sections = [...chapter.matchAll(/^### (.+)$/gm)].map(([, name]) => name);

// Whoever gets the mail at night begins there.
test('each alarm gives a reason and links to its section of docs/operations.md, in the same order', () => {
  const linked = pick(alarms, 'AlarmName', 'AlarmDescription');
  expect(linked).toEqual(
    sections.map((name) => ({
      AlarmName: `space-files-prod-${name}`,
      AlarmDescription: expect.stringMatching(`^.{80,} What to do: docs/operations\\.md#${name}$`),
    })),
  );
});

// An alarm must reach somebody, and only if there is something to do. Without requests, nothing is measured. A short
// disturbance ends by itself. Only of a total failure must somebody hear at once, and hear that it has ended.
test('each alarm notifies the topic, and needs 10 minutes, or else one minute and tells its end', () => {
  const AlarmActions = [{ 'Fn::If': ['CreatesTopic', { Ref: 'AlarmTopic' }, { Ref: 'AlarmTopicArn' }] }];
  const notifying = {
    AlarmActions,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
  };
  expect(pick(alarms, ...Object.keys(notifying))).toEqual(sections.map(() => notifying));
  const [total, ...others] = resourcesOf(alarms).map(({ Metrics, OKActions, ...alarm }) => {
    const stats = [Metrics ?? []].flat().map((metric) => Object(metric).MetricStat ?? {});
    const periods = [alarm, ...stats].flatMap(({ Period = [] }) => Period);
    return { periods: new Set(periods), points: Number(alarm['DatapointsToAlarm']), OKActions };
  });
  expect(total).toEqual({ periods: new Set([60]), points: 1, OKActions: AlarmActions });
  const slow = { periods: new Set([300]), points: expect.toSatisfy((points) => points > 1) };
  expect(others).toEqual(others.map(() => slow));
});

/** The metrics of an alarm: the first one is computed from the others. */
const metricsOf = (alarmName: string) => {
  const alarm = resourcesOf(alarms).find(({ AlarmName }) => AlarmName === `space-files-prod-${alarmName}`);
  const [computed, ...others] = [alarm?.['Metrics']].flat().map(Object);
  return { expression: computed.Expression, others };
};
/** What CloudWatch makes of an expression. */
const evaluate = (expression: string, values: Readonly<Record<string, number | undefined>>): unknown => {
  const functions = {
    IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
    FILL: (value: number | undefined, missing: number) => value ?? missing,
  };
  const scope = { ...functions, ...values };
  return new Function(...Object.keys(scope), `return ${expression}`)(...Object.values(scope));
};

test.each([
  ['api-outage', 9, 9, 0],
  ['api-outage', 10, 10, 100],
  ['api-outage', 1_000, undefined, 0],
  ['api-5xx-rate', 19, 19, 0],
  ['api-5xx-rate', 100, 1, 1],
  ['api-4xx-rate', 19, 19, 0],
  ['api-4xx-rate', 20, 2, 10],
  ['api-4xx-rate', 20, undefined, 0],
])('%s takes %i requests with %s failures for %i %', (name, requests, failures, percent) => {
  expect(evaluate(metricsOf(name).expression, { requests, failures })).toBe(percent);
});

// The quota is the account's, and all its functions use it up. A reserved part is a limit of its own.
test('lambda-concurrency fires at 80 % of the quota of the account, or of the part that is reserved', () => {
  const { expression, others } = metricsOf('lambda-concurrency');
  const [ofAccount, { 'Fn::Sub': ofFunction }] = expression['Fn::If'].slice(1);
  expect(evaluate(ofAccount, { used: 800 })).toBe(80);
  expect(evaluate(ofFunction.replace(/\$\{\w+\}/, '50'), { used: 40 })).toBe(80);
  const [account, own] = others[0].MetricStat.Metric['Fn::If'].slice(1);
  expect([account.MetricName, own.MetricName]).toEqual(['ClaimedAccountConcurrency', 'ConcurrentExecutions']);
});

// An alarm on another name never fires. The names are in these guides of AWS: "Working with metrics for HTTP APIs",
// "Types of metrics for Lambda functions" and "DynamoDB metrics and dimensions".
test('alarms watch metrics that AWS or a filter of the log creates, with their dimensions', () => {
  const watched = objectsWith('MetricName', alarms).map(({ Namespace, MetricName, Dimensions = [] }) =>
    [Namespace, MetricName, ...[Dimensions].flat().map((dimension) => Object(dimension).Name)].join(' '),
  );
  const ofLog = objectsWith('MetricName', filters).map(
    ({ MetricNamespace, MetricName }) => `${MetricNamespace} ${MetricName}`,
  );
  const [ofAws, own] = [true, false].map((isOfAws) =>
    [...new Set(watched)].filter((metric) => metric.startsWith('AWS/') === isOfAws),
  );
  expect(ofLog).toEqual(expect.arrayContaining(own ?? []));
  expect(ofAws?.toSorted()).toEqual([
    'AWS/ApiGateway 5xx ApiId Stage',
    'AWS/ApiGateway Count ApiId Stage',
    'AWS/ApiGateway Latency ApiId Stage',
    'AWS/DynamoDB ReadThrottleEvents TableName',
    'AWS/DynamoDB SystemErrors TableName Operation',
    'AWS/DynamoDB WriteThrottleEvents TableName',
    'AWS/Lambda ClaimedAccountConcurrency',
    'AWS/Lambda ConcurrentExecutions FunctionName',
    'AWS/Lambda Errors FunctionName',
    'AWS/Lambda Invocations FunctionName',
    'AWS/Lambda Throttles FunctionName',
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
