import { exactly, type Rule } from '../support/rule.ts';

const topic = 'Resources.AlarmTopic';
const key = 'Resources.AlarmKey.Properties';
const mail = 'Resources.AlarmMail';

/** Who is woken, and who can read along. */
export const topicRules: readonly Rule[] = [
  exactly(
    'the topic is encrypted by a key that CloudWatch may use',
    `${topic}.Properties.KmsMasterKeyId`,
    { Ref: 'AlarmKey' },
    [[`${topic}.Properties.KmsMasterKeyId`, 'alias/aws/sns'], [`${topic}.Properties.KmsMasterKeyId`]],
  ),
  exactly(
    'that key is for the account and for CloudWatch',
    `${key}.KeyPolicy.Statement`,
    [
      {
        Effect: 'Allow',
        Principal: { AWS: { 'Fn::Sub': `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:root` } },
        Action: 'kms:*',
        Resource: '*',
      },
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: '*',
      },
    ],
    [
      [`${key}.KeyPolicy.Statement.0`],
      [`${key}.KeyPolicy.Statement.1.Principal`, { AWS: 'arn:aws:iam::123456789012:root' }],
    ],
  ),
  exactly('it is rotated', `${key}.EnableKeyRotation`, true, [[`${key}.EnableKeyRotation`]]),
  exactly('a topic is made unless one is given', `${topic}.Condition`, 'CreatesTopic', [
    [`${topic}.Condition`],
  ]),
  exactly('and so is its key', 'Resources.AlarmKey.Condition', 'CreatesTopic', [
    ['Resources.AlarmKey.Condition'],
  ]),
  exactly(
    'mail goes to the given address, if one is given',
    mail,
    {
      Type: 'AWS::SNS::Subscription',
      Condition: 'SendsMail',
      Properties: { TopicArn: { Ref: 'AlarmTopic' }, Protocol: 'email', Endpoint: { Ref: 'AlarmEmail' } },
    },
    [[`${mail}.Properties.Endpoint`, 'a@example.com'], [`${mail}.Condition`]],
  ),
];
