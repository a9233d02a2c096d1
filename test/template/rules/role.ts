import { tableNames } from '../support/function.ts';
import { exactly, follows, type Rule } from '../support/rule.ts';
import { at, idsOf, listAt, type Template } from '../support/template.ts';

const role = 'Resources.UpdateFileRole.Properties';
const statements = `${role}.Policies.0.PolicyDocument.Statement`;
const arn = (table: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${table}`,
});

const grants = (template: Template) => {
  const { apiKeys, spaces, files } = tableNames(template);
  return [
    { Effect: 'Allow', Action: 'dynamodb:BatchGetItem', Resource: [arn(apiKeys), arn(spaces)] },
    { Effect: 'Allow', Action: 'dynamodb:UpdateItem', Resource: [arn(files)] },
    {
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: [{ 'Fn::GetAtt': ['UpdateFileLogGroup', 'Arn'] }],
    },
  ];
};

const tracing = {
  'Fn::If': [
    'Traces',
    {
      PolicyName: 'trace',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
            Resource: '*',
          },
        ],
      },
    },
    { Ref: 'AWS::NoValue' },
  ],
};

/** What the function may do, and who may be the function. */
export const roleRules: readonly Rule[] = [
  follows(
    'the role reads keys and spaces, updates files, writes its log, and nothing else',
    statements,
    grants,
    [
      [`${statements}.0.Action`, ['dynamodb:BatchGetItem', 'dynamodb:GetItem']],
      [`${statements}.1.Action`, 'dynamodb:*'],
      [`${statements}.1.Resource.0`, { 'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:*:*:table/*` }],
      [`${statements}.2.Resource.0`, '*'],
      [`${statements}.3`, { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::x/y' }],
    ],
  ),
  exactly('it may send traces only where tracing is on', `${role}.Policies.1`, tracing, [
    [`${role}.Policies.1`, tracing['Fn::If'][1]],
    [`${role}.Policies.1.Fn::If.0`, 'CreatesTables'],
  ]),
  {
    name: 'it has these two policies and no other',
    check: (template) => [
      ...listAt(template, `${role}.Policies`)
        .slice(2)
        .map((policy) => JSON.stringify(policy)),
      ...listAt(template, `${role}.ManagedPolicyArns`).map(String),
      ...idsOf(template, 'AWS::IAM::Policy'),
      ...idsOf(template, 'AWS::IAM::ManagedPolicy'),
    ],
    broken: [
      [`${role}.Policies.2`, { PolicyName: 'more' }],
      [`${role}.ManagedPolicyArns`, ['arn:aws:iam::aws:policy/AdministratorAccess']],
      ['Resources.More', { Type: 'AWS::IAM::Policy', Properties: {} }],
    ],
  },
  exactly(
    'only Lambda may take it',
    `${role}.AssumeRolePolicyDocument.Statement`,
    [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    [
      [`${role}.AssumeRolePolicyDocument.Statement.0.Principal`, { AWS: '*' }],
      [`${role}.AssumeRolePolicyDocument.Statement.1`, { Effect: 'Allow', Action: 'sts:AssumeRole' }],
    ],
  ),
  {
    name: 'it is the only role, and the function’s',
    check: (template) => [
      ...idsOf(template, 'AWS::IAM::Role').filter((id) => id !== 'UpdateFileRole'),
      ...(at(template, 'Resources.UpdateFileLambdaFunction.Properties.Role.Fn::GetAtt.0') === 'UpdateFileRole'
        ? []
        : ['the function has another role']),
    ],
    broken: [
      ['Resources.OtherRole', { Type: 'AWS::IAM::Role', Properties: {} }],
      ['Resources.UpdateFileLambdaFunction.Properties.Role', 'arn:aws:iam::123456789012:role/other'],
    ],
  },
];
