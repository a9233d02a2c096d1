import { expect, test } from 'vitest';
import { nameProblems } from '#tools/bundle/resource-names.ts';

const another = 'Choose another stage, or another param.';
const region = { 'Fn::Sub': `space-files-prod-\${AWS::Region}` };
const longRegion = { 'Fn::Sub': `${'d'.repeat(242)}\${AWS::Region}` };

test.each<[type: string, property: string, name: unknown, problem: string | undefined]>([
  ['AWS::CloudFormation::Stack', 'StackName', `s${'-'.repeat(127)}`, undefined],
  [
    'AWS::CloudFormation::Stack',
    'StackName',
    '1-prod',
    'must have 1 to 128 letters, digits and -, and begin with a letter.',
  ],
  ['AWS::Lambda::Function', 'FunctionName', 'f'.repeat(64), undefined],
  ['AWS::Lambda::Function', 'FunctionName', 'f'.repeat(65), 'must have 1 to 64 letters, digits, - and _.'],
  ['AWS::Lambda::Function', 'FunctionName', 'space files', 'must have 1 to 64 letters, digits, - and _.'],
  ['AWS::DynamoDB::Table', 'TableName', 'files.2026_11-25', undefined],
  ['AWS::DynamoDB::Table', 'TableName', 'ab', 'must have 3 to 255 letters, digits, -, _ and dots.'],
  ['AWS::DynamoDB::Table', 'TableName', { Ref: 'Files' }, undefined],
  ['AWS::DynamoDB::Table', 'TableName', undefined, undefined],
  ['AWS::CloudWatch::Dashboard', 'DashboardName', region, undefined],
  ['AWS::CloudWatch::Dashboard', 'DashboardName', longRegion, 'must have 1 to 255 letters, digits, - and _.'],
  ['AWS::SNS::Topic', 'TopicName', 'alarms.fifo', 'must have 1 to 256 letters, digits, - and _.'],
  [
    'AWS::Logs::LogGroup',
    'LogGroupName',
    '/aws/lambda/größe',
    'must have 1 to 512 letters, digits and -, _, /, # and dots.',
  ],
  ['AWS::KMS::Key', 'Description', 'no rule', undefined],
])('%s with the %s %j is rejected: %s', (Type, property, name, problem) => {
  const found = nameProblems([{ Type, Properties: { [property]: name } }]);
  expect(found).toEqual(problem === undefined ? [] : [expect.stringContaining(`${problem} ${another}`)]);
});
