import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { writeSamTemplate } from '#tools/sam-template.ts';
import { packageService } from './template.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

test('the packaged function and route become a SAM template that uses a local DynamoDB', async () => {
  const project = join(folder.path, 'project');
  await packageService(project, []);
  const file = writeSamTemplate(join(project, '.serverless'), 'http://127.0.0.1:8000');
  expect(file).toBe(join(project, '.serverless', 'sam-template.json'));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toStrictEqual({
    AWSTemplateFormatVersion: '2010-09-09',
    Transform: 'AWS::Serverless-2016-10-31',
    Description: 'For sam local, written by tools/sam-template.ts. serverless.yml is what is deployed.',
    Resources: {
      UpdateFileLambdaFunction: {
        Type: 'AWS::Serverless::Function',
        Properties: {
          CodeUri: 'space-files.zip',
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
              AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000',
            },
          },
          Events: {
            Http: {
              Type: 'HttpApi',
              Properties: {
                Method: 'PATCH',
                Path: '/v1/spaces/{spaceId}/files/{fileId}',
                PayloadFormatVersion: '2.0',
              },
            },
          },
        },
      },
    },
  });
});

test('without a package the error names the command', () => {
  expect(() => writeSamTemplate(folder.path)).toThrow(
    'There is no package yet: run `npx serverless package` first.',
  );
});
