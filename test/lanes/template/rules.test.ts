// What no change of serverless.yml and monitoring.yml may undo, each with its reason, in the real package of each stage.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { read } from '#test/support/pages.ts';

const ResourceSchema = z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) });
const TemplateSchema = z.object({ Resources: z.record(z.string(), ResourceSchema) });
/** What the framework itself does when it deploys the package. */
const StateSchema = z.object({
  service: z.object({ provider: z.object({ deletionProtection: z.unknown() }) }),
});

const document = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const allow = (Action: unknown, Resource: unknown) => ({ Effect: 'Allow', Action, Resource });
const noValue = { Ref: 'AWS::NoValue' };

const tables = /^AWS::DynamoDB::/;
const functions = /^AWS::Lambda::Function$/;

/** Names that must be unique in a Region. */
const ofRegion =
  /^AWS::(ApiGatewayV2::Api Name|CloudWatch::Alarm AlarmName|DynamoDB::Table TableName|Lambda::Function FunctionName|Logs::LogGroup LogGroupName|Logs::QueryDefinition Name|SNS::Topic TopicName) /;
/** Those that must be unique in an account have the Region. */
const ofAccount = /^AWS::CloudWatch::Dashboard DashboardName .*\$\{AWS::Region\}/;

// test/documents/stack.test.ts compares these with the pages.
const { params, provider } = parse(read('serverless.yml'));

describe.each([
  { folder: 'dev', stage: 'dev', isProtected: false },
  { folder: 'staging', stage: 'staging', isProtected: true },
  { folder: 'prod', stage: 'prod', isProtected: true },
  { folder: 'code-cache', stage: 'prod', isProtected: true },
])('package $folder', ({ folder, stage, isProtected }) => {
  const { throttlingRate, throttlingBurst, logRetentionInDays } = { ...params.default, ...params[stage] };
  const file = join(inject('packages'), folder, 'cloudformation-template-update-stack.json');
  const { Resources } = TemplateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const state = join(inject('packages'), folder, 'serverless-state.json');
  const { service } = StateSchema.parse(JSON.parse(readFileSync(state, 'utf8')));
  const name = (ending: string) => `space-files-${stage}${ending}`;

  /** The resources of some types: their properties beside their other attributes. */
  const resourcesOf = (types: RegExp) =>
    Object.values(Resources)
      .filter(({ Type }) => types.test(Type))
      .map(({ Properties, ...rest }): Readonly<Record<string, unknown>> => ({ ...rest, ...Properties }));
  /** Some attributes of each of them. */
  const pick = (types: RegExp, ...names: string[]) =>
    resourcesOf(types).map((resource) =>
      Object.fromEntries(names.map((attribute) => [attribute, resource[attribute]])),
    );
  /** All objects that have an attribute, anywhere in the resources of some types. */
  const objectsWith = (attribute: string, types: RegExp) => {
    const found: Readonly<Record<string, unknown>>[] = [];
    JSON.stringify(resourcesOf(types), (_, value) => {
      if (value?.[attribute] !== undefined) found.push(value);
      return value;
    });
    return found;
  };

  // They have the only copy of the data, and outlive the stack. RetainExceptOnCreate could not delete them after a failed
  // first deployment, because they are protected: the stack would be stuck. A policy of a table could let others in.
  // Nothing holds for replicas of a global table: docs/limits-and-cost.md, Many Regions.
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
        KMSMasterKeyId: { 'Fn::If': ['HasTablesKey', { Ref: 'TablesKeyArn' }, noValue] },
      },
      ResourcePolicy: undefined,
    };
    expect(pick(tables, ...Object.keys(safe))).toEqual([safe, safe, safe]);
  });

  // DynamoDB deletes what expires. A stream that was disabled gets no more changes, and a new one has another ARN, which no
  // consumer reads: so no param and no condition may decide about it.
  test('only API keys expire, and the files table always has its stream', () => {
    expect(pick(tables, 'TableName', 'TimeToLiveSpecification', 'StreamSpecification')).toEqual([
      {
        TableName: name('-api-keys'),
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
      { TableName: name('-spaces') },
      { TableName: name('-files'), StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } },
    ]);
    const { resources } = parse(readFileSync(join(inject('copy'), 'serverless.yml'), 'utf8'));
    expect(resources[0].Resources.FilesTable.Properties.StreamSpecification).toEqual({
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    });
  });

  // More rights would help whoever finds a way to run code in the function.
  test('the only role is for Lambda, with exact actions and ARNs', () => {
    const arnOf = (table: string) => ({
      'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${name(table)}`,
    });
    const base = document(
      allow('dynamodb:BatchGetItem', [arnOf('-api-keys'), arnOf('-spaces')]),
      allow('dynamodb:UpdateItem', [arnOf('-files')]),
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
    expect(resourcesOf(/^AWS::IAM::/)).toEqual([
      {
        Type: 'AWS::IAM::Role',
        AssumeRolePolicyDocument: document({ Effect: 'Allow', ...forLambda }),
        Policies: [
          { PolicyName: 'update-file', PolicyDocument: base },
          { 'Fn::If': ['Traces', { PolicyName: 'trace', PolicyDocument: trace }, noValue] },
          { 'Fn::If': ['HasTablesKey', { PolicyName: 'tables-key', PolicyDocument: useKey }, noValue] },
        ],
      },
    ]);
    expect(pick(functions, 'Role')).toEqual([{ Role: { 'Fn::GetAtt': ['UpdateFileRole', 'Arn'] } }]);
  });

  // Another caller would go around the throttle, the access log and the alarms.
  test('only the API of the stack may invoke the function', () => {
    const ofApi = expect.arrayContaining([':execute-api:', { Ref: 'HttpApi' }, '/*']);
    expect(pick(/^AWS::Lambda::(?!Function$)/, 'Principal', 'SourceArn')).toEqual([
      { Principal: 'apigateway.amazonaws.com', SourceArn: { 'Fn::Join': ['', ofApi] } },
    ]);
  });

  // Whoever may read the settings of a function sees its variables.
  test('the environment of the function has names of tables and the commit, and no secret', () => {
    const Variables = {
      API_KEYS_TABLE: name('-api-keys'),
      SPACES_TABLE: name('-spaces'),
      FILES_TABLE: name('-files'),
      COMMIT: '4de15dad',
    };
    expect(pick(functions, 'Environment')).toEqual([{ Environment: { Variables } }]);
  });

  // A stage that nobody deploys needs security updates of Node, also with a code cache, which a newer Node does not use. Auto
  // is in the template, because it is not known whether its absence ends an earlier FunctionUpdate.
  test('AWS updates Node by itself', () => {
    expect(pick(functions, 'RuntimeManagementConfig')).toEqual([
      { RuntimeManagementConfig: { UpdateRuntimeOn: 'Auto' } },
    ]);
  });

  // `serverless remove` asks nothing, and a stage that people rely on can have any name.
  test('the stack of each stage but dev is protected', () => {
    expect(service.provider.deletionProtection).toBe(isProtected);
  });

  // A request ends itself after 5 s. If somebody ends it before, the caller gets no response of the contract.
  test('Lambda waits longer than a request takes, and API Gateway waits longer than Lambda', () => {
    expect(pick(functions, 'Timeout')).toEqual([{ Timeout: provider.timeout }]);
    expect(pick(/Integration$/, 'TimeoutInMillis')).toEqual([{ TimeoutInMillis: 30_000 }]);
  });

  // The function serves no other route. With CORS, web pages would call the API, and show their key to every visitor.
  test('the API has one route, and no CORS', () => {
    expect(pick(/^AWS::ApiGatewayV2::Route$/, 'RouteKey')).toEqual([
      { RouteKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}' },
    ]);
    expect(pick(/^AWS::ApiGatewayV2::Api$/, 'CorsConfiguration')).toEqual([{}]);
  });

  // Nothing else holds back a client that runs out of control: the tables are on demand. Metrics of each route would cost money.
  test('the only stage of the API has a throttle, and no metrics of each route', () => {
    const limits = { ThrottlingRateLimit: throttlingRate, ThrottlingBurstLimit: throttlingBurst };
    expect(pick(/::Stage$/, 'DefaultRouteSettings', 'RouteSettings')).toEqual([
      { DefaultRouteSettings: limits },
    ]);
  });

  // If a group is missing, Lambda creates it, and keeps its lines for ever. They have ids of users and IP addresses.
  test('the function and the API each have a log group, and no log is kept for ever', () => {
    const LogGroup = `/aws/lambda/${name('')}`;
    expect(pick(/::LogGroup$/, 'LogGroupName', 'RetentionInDays')).toEqual([
      { LogGroupName: `/aws/http-api/${name('')}`, RetentionInDays: logRetentionInDays },
      { LogGroupName: LogGroup, RetentionInDays: logRetentionInDays },
    ]);
    expect(pick(functions, 'LoggingConfig')).toEqual([{ LoggingConfig: { LogGroup } }]);
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

  // With a wider one, a stack of a second Region could not be deployed. A type that is not known here may have no name.
  test('no name of a resource has a wider scope than the stack', () => {
    const isText = (value: unknown) => typeof value === 'string' || Object(value)['Fn::Sub'] !== undefined;
    const names = Object.values(Resources).flatMap(({ Type, Properties }) =>
      Object.entries(Properties)
        .filter(([property, value]) => property.endsWith('Name') && isText(value))
        .map(([property, value]) => `${Type} ${property} ${JSON.stringify(value)}`),
    );
    const isNarrow = (text: string) => ofRegion.test(text) || ofAccount.test(text);
    // These name a metric that AWS has, and the only stage of an API.
    expect(names.filter((text) => !isNarrow(text))).toEqual([
      'AWS::ApiGatewayV2::Stage StageName "$default"',
      'AWS::CloudWatch::Alarm MetricName "Latency"',
    ]);
  });
});
