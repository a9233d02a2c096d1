import { exactly, type Rule } from '../support/rule.ts';
import { at, namesAt } from '../support/template.ts';

const known = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::DynamoDB::Table',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
];
const outputs = [
  'AlarmTopicArn',
  'ApiKeysTableName',
  'DashboardUrl',
  'FilesTableName',
  'HttpApiId',
  'HttpApiUrl',
  'ServerlessDeploymentBucketName',
  'SpacesTableName',
];

/** One of ours, one of AWS's, a private key, a password. */
const secret = /sfk_\w|AKIA[0-9A-Z]{16}|-----BEGIN|"(?:Password|SecretString|NoEcho)"/i;

/** What the template is as a whole. */
export const wholeRules: readonly Rule[] = [
  {
    name: 'it makes nothing else: no function URL, no network, no user',
    check: (template) =>
      Object.entries(template.Resources)
        .filter(([, { Type }]) => !known.includes(Type))
        .map(([id, { Type }]) => `${id} is a ${Type}`),
    broken: [
      ['Resources.Url', { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'NONE' } }],
      ['Resources.User', { Type: 'AWS::IAM::User', Properties: {} }],
      ['Resources.Policy', { Type: 'AWS::SNS::TopicPolicy', Properties: {} }],
    ],
  },
  {
    name: 'it has one function, one API, one stage',
    check: (template) => {
      const types = Object.values(template.Resources).map(({ Type }) => Type);
      return ['AWS::Lambda::Function', 'AWS::ApiGatewayV2::Api', 'AWS::ApiGatewayV2::Stage'].filter(
        (type) => types.filter((other) => other === type).length !== 1,
      );
    },
    broken: [
      ['Resources.More', { Type: 'AWS::Lambda::Function', Properties: {} }],
      ['Resources.More', { Type: 'AWS::ApiGatewayV2::Stage', Properties: { StageName: 'open' } }],
    ],
  },
  {
    name: 'it holds no secret',
    check: (template) => secret.exec(JSON.stringify(template)) ?? [],
    broken: [
      ['Outputs.Key', { Value: 'sfk_0123456789' }],
      ['Parameters.DatabasePassword', { Type: 'String', NoEcho: true }],
      ['Resources.FilesTable.Properties.Tags', [{ Key: 'x', Value: 'AKIAIOSFODNN7EXAMPLE' }]],
    ],
  },
  {
    name: 'it tells these, and nothing that must not be told',
    check: (template) => namesAt(template, 'Outputs').filter((name) => !outputs.includes(name)),
    broken: [['Outputs.Other', { Value: { 'Fn::GetAtt': ['UpdateFileRole', 'Arn'] } }]],
  },
  {
    name: 'whoever deployed it learns the address and the tables',
    check: (template) => outputs.filter((name) => at(template, `Outputs.${name}.Value`) === undefined),
    broken: [['Outputs.HttpApiUrl'], ['Outputs.ApiKeysTableName']],
  },
  exactly(
    'what is decided at the deployment is decided by these parameters',
    'Conditions',
    {
      CreatesTables: { 'Fn::Equals': [{ Ref: 'CreateTables' }, 'true'] },
      Traces: { 'Fn::Equals': [{ Ref: 'Tracing' }, 'Active'] },
      CreatesTopic: { 'Fn::Equals': [{ Ref: 'AlarmTopicArn' }, ''] },
      SendsMail: {
        'Fn::And': [
          { Condition: 'CreatesTopic' },
          { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AlarmEmail' }, ''] }] },
        ],
      },
      SharesConcurrency: { 'Fn::Equals': [{ Ref: 'ReservedConcurrency' }, '-1'] },
    },
    [['Conditions.CreatesTables.Fn::Equals.1', 'yes'], ['Conditions.Traces']],
  ),
  exactly(
    'a value that is neither true nor false is refused',
    'Parameters.CreateTables.AllowedValues',
    ['true', 'false'],
    [['Parameters.CreateTables.AllowedValues']],
  ),
];
