import { exactly, type Rule } from '../support/rule.ts';
import { at, type Template } from '../support/template.ts';

/** Every statement of every policy in the template, with the path to it. */
const statementsIn = (value: unknown, path: string): [string, unknown][] => {
  if (typeof value !== 'object' || value === null) return [];
  const own: [string, unknown][] = 'Effect' in value ? [[path, value]] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, inner]) => statementsIn(inner, `${path}.${name}`)),
  ];
};
const allows = (template: Template) =>
  statementsIn(template.Resources, 'Resources').filter(([, statement]) => at(statement, 'Effect') !== 'Deny');

/** X-Ray knows no resources; and in the policy of a key, * means this key. */
const mayHaveStar =
  /^Resources\.(UpdateFileRole\.Properties\.Policies\.1\.Fn::If|AlarmKey\.Properties\.KeyPolicy)\./;

const permission = 'Resources.UpdateFileLambdaPermissionHttpApi.Properties';
const bucket = 'Resources.ServerlessDeploymentBucket.Properties';
const tlsOnly = 'Resources.ServerlessDeploymentBucketPolicy.Properties.PolicyDocument.Statement';

/** Who else is let in, to anything. */
export const accessRules: readonly Rule[] = [
  {
    name: 'nothing is allowed by a wildcard',
    check: (template) =>
      allows(template)
        .filter(([path]) => !mayHaveStar.test(path))
        .filter(([, statement]) => JSON.stringify(statement).includes('*'))
        .map(([path]) => path),
    broken: [
      ['Resources.UpdateFileRole.Properties.Policies.0.PolicyDocument.Statement.0.Action', 'dynamodb:*'],
      ['Resources.FilesTable.Properties.Policy', { Effect: 'Allow', Action: 'x:y', Resource: '*' }],
    ],
  },
  {
    name: 'nothing is allowed to everybody',
    check: (template) =>
      allows(template)
        .filter(([, statement]) => {
          const principals = [at(statement, 'Principal'), at(statement, 'Principal.AWS')].flat();
          return principals.includes('*') || at(statement, 'NotPrincipal') !== undefined;
        })
        .map(([path]) => path),
    broken: [
      [`${tlsOnly}.0.Effect`, 'Allow'],
      ['Resources.AlarmKey.Properties.KeyPolicy.Statement.0.Principal', { AWS: ['*'] }],
    ],
  },
  exactly(
    'only this API may call the function',
    permission,
    {
      FunctionName: { 'Fn::GetAtt': ['UpdateFileLambdaFunction', 'Arn'] },
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
      SourceArn: {
        'Fn::Join': [
          '',
          [
            'arn:',
            { Ref: 'AWS::Partition' },
            ':execute-api:',
            { Ref: 'AWS::Region' },
            ':',
            { Ref: 'AWS::AccountId' },
            ':',
            { Ref: 'HttpApi' },
            '/*',
          ],
        ],
      },
    },
    [
      [`${permission}.Principal`, '*'],
      [`${permission}.SourceArn`],
      [`${permission}.FunctionUrlAuthType`, 'NONE'],
    ],
  ),
  exactly(
    'the bucket of the code is closed to the public',
    `${bucket}.PublicAccessBlockConfiguration`,
    { BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true },
    [[`${bucket}.PublicAccessBlockConfiguration.BlockPublicPolicy`, false]],
  ),
  exactly(
    'the bucket of the code is encrypted',
    `${bucket}.BucketEncryption.ServerSideEncryptionConfiguration.0.ServerSideEncryptionByDefault.SSEAlgorithm`,
    'AES256',
    [[`${bucket}.BucketEncryption`]],
  ),
  exactly(
    'the bucket of the code is read by TLS only',
    `${tlsOnly}.0.Condition`,
    { Bool: { 'aws:SecureTransport': false } },
    [[`${tlsOnly}.0.Condition`]],
  ),
];
