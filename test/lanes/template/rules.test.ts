// What the framework makes of serverless.yml and monitoring.yml, in the real package: our resources as both files have them
// (test/documents/stack.test.ts says what these must not lose), and its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { serverless, template } from '#test/support/stack.ts';

const ResourceSchema = z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) });
const PartSchema = z.record(z.string(), z.unknown());
const TemplateSchema = z.object({
  Parameters: PartSchema,
  Conditions: PartSchema,
  Resources: z.record(z.string(), ResourceSchema),
  Outputs: PartSchema,
});
/** What the framework itself does when it deploys the package. */
const StateSchema = z.object({
  service: z.object({ provider: z.object({ deletionProtection: z.unknown() }) }),
});

const functions = /^AWS::Lambda::Function$/;
/** Names that must be unique in a Region. */
const ofRegion =
  /^AWS::(ApiGatewayV2::Api Name|CloudWatch::Alarm AlarmName|DynamoDB::Table TableName|Lambda::Function FunctionName|Logs::LogGroup LogGroupName|Logs::QueryDefinition Name|SNS::Topic TopicName) /;
/** Those that must be unique in an account have the Region. */
const ofAccount = /^AWS::CloudWatch::Dashboard DashboardName .*\$\{AWS::Region\}/;

const { params, provider } = serverless;

describe.each([
  { stage: 'dev', isProtected: false },
  { stage: 'prod', isProtected: true },
])('package $stage', ({ stage, isProtected }) => {
  const folder = join(inject('packages'), stage);
  const file = join(folder, 'cloudformation-template-update-stack.json');
  const { Resources, ...parts } = TemplateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const state = join(folder, 'serverless-state.json');
  const { service } = StateSchema.parse(JSON.parse(readFileSync(state, 'utf8')));
  const name = (ending: string) => `space-files-${stage}${ending}`;

  const values = new Map<string, unknown>([
    ['self:service', 'space-files'],
    ['sls:stage', stage],
    ['self:provider.logs.lambda.logGroup', provider.logs.lambda.logGroup],
    ...Object.entries({ ...params.default, ...params[stage] }).map(
      ([param, value]) => [`param:${param}`, value] as const,
    ),
  ]);
  /** A text of both files without their variables. A value that is a variable alone keeps its type. */
  const resolve = (text: string): unknown => {
    const [, whole = ''] = /^\$\{([\w:.]+)\}$/.exec(text) ?? [];
    if (values.has(whole)) return withValues(values.get(whole));
    return text.replaceAll(/\$\{([\w:.]+)\}/g, (all, one) =>
      values.has(one) ? `${withValues(values.get(one))}` : all,
    );
  };
  const withValues = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part), (_, value) => (typeof value === 'string' ? resolve(value) : value));

  test('our resources are those of serverless.yml and monitoring.yml', () => {
    const { extensions, ...ours } = template;
    const packaged: Readonly<Record<string, object>> = { Resources, ...parts };
    for (const [part, written] of Object.entries<object>(ours)) {
      const found = Object.entries(packaged[part] ?? {}).filter(([key]) => key in written);
      expect(Object.fromEntries(found), part).toEqual(withValues(written));
    }
    for (const [key, { Properties = {} }] of Object.entries<{ Properties?: object }>(extensions))
      expect(Resources[key]?.Properties, key).toMatchObject(Object(withValues(Properties)));
  });

  // Its own role, for example, would have more rights.
  test('the framework itself makes these resources', () => {
    const others = Object.entries(Resources).filter(([key]) => !(key in template.Resources));
    expect(others.map(([, { Type }]) => Type).toSorted()).toEqual([
      'AWS::ApiGatewayV2::Api',
      'AWS::ApiGatewayV2::Integration',
      'AWS::ApiGatewayV2::Route',
      'AWS::ApiGatewayV2::Stage',
      'AWS::Lambda::Function',
      'AWS::Lambda::Permission',
      'AWS::Logs::LogGroup',
      'AWS::S3::Bucket',
      'AWS::S3::BucketPolicy',
    ]);
  });

  /** Some properties of each resource of some types. */
  const pick = (types: RegExp, ...properties: string[]) =>
    Object.values(Resources)
      .filter(({ Type }) => types.test(Type))
      .map(({ Properties }) =>
        Object.fromEntries(properties.map((property) => [property, Properties[property]])),
      );

  // Another caller would go around the throttle, the access log and the alarms.
  test('only the API of the stack may invoke the function', () => {
    const ofApi = expect.arrayContaining([':execute-api:', { Ref: 'HttpApi' }, '/*']);
    expect(pick(/^AWS::Lambda::Permission$/, 'Principal', 'SourceArn')).toEqual([
      { Principal: 'apigateway.amazonaws.com', SourceArn: { 'Fn::Join': ['', ofApi] } },
    ]);
  });

  // A request ends itself after 5 s. If somebody ends it before, the caller gets no response of the contract. Whoever may read
  // the settings of a function sees its variables: names of tables and the commit, and no secret.
  test('the function has the settings of serverless.yml, its role and its log', () => {
    const Variables = {
      API_KEYS_TABLE: name('-api-keys'),
      SPACES_TABLE: name('-spaces'),
      FILES_TABLE: name('-files'),
      COMMIT: '4de15dad',
    };
    const LogGroup = `/aws/lambda/${name('')}`;
    const expected = {
      Handler: 'dist/update-file.handler',
      Timeout: provider.timeout,
      MemorySize: provider.memorySize,
      Role: { 'Fn::GetAtt': ['UpdateFileRole', 'Arn'] },
      LoggingConfig: { LogGroup },
      Environment: { Variables },
    };
    expect(pick(functions, ...Object.keys(expected))).toEqual([expected]);
    // API Gateway waits longer.
    expect(pick(/Integration$/, 'TimeoutInMillis', 'PayloadFormatVersion')).toEqual([
      { TimeoutInMillis: 30_000, PayloadFormatVersion: '2.0' },
    ]);
  });

  // `serverless remove` asks nothing, and a stage that people rely on can have any name.
  test('the stack of each stage but dev is protected', () => {
    expect(service.provider.deletionProtection).toBe(isProtected);
  });

  // The function serves no other route. With CORS, web pages would call the API, and show their key to every visitor.
  test('the API has one route, no CORS, and no metrics of each route', () => {
    expect(pick(/^AWS::ApiGatewayV2::Route$/, 'RouteKey')).toEqual([
      { RouteKey: 'PATCH /v1/spaces/{spaceId}/files/{fileId}' },
    ]);
    expect(pick(/^AWS::ApiGatewayV2::Api$/, 'CorsConfiguration', 'DisableExecuteApiEndpoint')).toEqual([
      { CorsConfiguration: undefined, DisableExecuteApiEndpoint: false },
    ]);
    expect(pick(/::Stage$/, 'RouteSettings')).toEqual([{ RouteSettings: undefined }]);
  });

  // If a group is missing, Lambda creates it, and keeps its lines for ever. They have ids of users and IP addresses.
  test('the log of the API is not kept for ever', () => {
    expect(pick(/::LogGroup$/, 'LogGroupName', 'RetentionInDays')).toContainEqual({
      LogGroupName: `/aws/http-api/${name('')}`,
      RetentionInDays: values.get('param:logRetentionInDays'),
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
    const onlyTls = { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': false } } };
    expect(pick(/::BucketPolicy$/, 'PolicyDocument')).toEqual([
      { PolicyDocument: { Statement: [expect.objectContaining(onlyTls)] } },
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
