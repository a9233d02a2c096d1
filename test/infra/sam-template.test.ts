import { expect, test } from 'vitest';
import { createSamTemplate } from '#tools/sam-template.ts';

test('the function and route become a SAM template that uses a local DynamoDB', () => {
  expect(createSamTemplate('http://127.0.0.1:8000')).toStrictEqual({
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
