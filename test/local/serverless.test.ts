import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { bareEnvironment, run, startProject, temporaryFolder } from './support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const env = bareEnvironment({ SPACE_FILES_STATE_DIR: folder.path });
const serverless = (...args: string[]) => run(['node_modules/serverless/bin/serverless.js', ...args], env);

const TemplateSchema = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.unknown() })),
});
const PoliciesSchema = z.object({ Policies: z.tuple([z.object({ PolicyDocument: z.unknown() })]) });

test('the package may do no more than the function does', async () => {
  const { code } = await serverless('package', '--package', join(folder.path, 'package'));
  expect(code).toBe(0);
  const file = join(folder.path, 'package', 'cloudformation-template-update-stack.json');
  const template = TemplateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const resources = Object.entries(template.Resources);
  const roles = resources.filter(([, { Type }]) => Type === 'AWS::IAM::Role');
  expect(roles.map(([name]) => name)).toStrictEqual(['UpdateFileRole']);
  expect(
    PoliciesSchema.parse(template.Resources['UpdateFileRole']?.Properties).Policies[0].PolicyDocument,
  ).toStrictEqual({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: 'dynamodb:BatchGetItem',
        Resource: [{ 'Fn::GetAtt': ['ApiKeysTable', 'Arn'] }, { 'Fn::GetAtt': ['SpacesTable', 'Arn'] }],
      },
      { Effect: 'Allow', Action: 'dynamodb:UpdateItem', Resource: [{ 'Fn::GetAtt': ['FilesTable', 'Arn'] }] },
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: [{ 'Fn::GetAtt': ['UpdateFileLogGroup', 'Arn'] }],
      },
    ],
  });
  expect(template.Resources['UpdateFileLambdaFunction']?.Properties).toMatchObject({
    Handler: 'dist/update-file.handler',
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    MemorySize: 512,
    Timeout: 10,
    Environment: {
      Variables: {
        API_KEYS_TABLE: 'space-files-dev-api-keys',
        SPACES_TABLE: 'space-files-dev-spaces',
        FILES_TABLE: 'space-files-dev-files',
      },
    },
  });
});

test('invoke local runs the function on the engine of a running npm start, and says so when there is none', async () => {
  const invoke = () =>
    serverless('invoke', 'local', '-f', 'updateFile', '-p', 'events/cleared.json', '--stage', 'other');
  const alone = await invoke();
  expect({
    code: alone.code,
    says: alone.stdout.includes('No engine is running: run `npm start` first'),
  }).toStrictEqual({
    code: 1,
    says: true,
  });
  const project = await startProject([], env);
  const { code, stdout } = await invoke();
  await project.stop();
  expect(code).toBe(0);
  expect(JSON.parse(stdout.slice(stdout.indexOf('{\n')))).toMatchObject({ statusCode: 200 });
});
