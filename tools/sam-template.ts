// Writes .serverless/sam-template.json, with which the AWS SAM CLI runs the packaged function in a Lambda container:
//
//   npx serverless package && npx node tools/sam-template.ts
//   sam local invoke -t .serverless/sam-template.json -e events/updated.json --docker-network host
//
// The function calls AWS_ENDPOINT_URL_DYNAMODB, or else the engine of a running `npm start`, or else AWS. A container
// on Linux reaches the engine with --docker-network host. Elsewhere, set an endpoint that a container can reach.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDatabase } from './dev-server/environment.ts';
import { routeKey } from './dev-server/http-event.ts';
import { readService } from './dev-server/service.ts';
import { projectRoot } from './project.ts';

/** The function and its route as a SAM template, without tables and role. `endpoint` is that of DynamoDB, or AWS. */
export const createSamTemplate = (endpoint?: string) => {
  const { timeoutSeconds, memoryMegabytes, tableNames, handler, runtime, architecture } = readService();
  const [Method, Path] = routeKey.split(' ');
  const Properties = {
    CodeUri: 'space-files.zip',
    Handler: handler,
    Runtime: runtime,
    Architectures: [architecture],
    MemorySize: memoryMegabytes,
    Timeout: timeoutSeconds,
    Environment: { Variables: { ...tableNames, AWS_ENDPOINT_URL_DYNAMODB: endpoint } },
    Events: { Http: { Type: 'HttpApi', Properties: { Method, Path, PayloadFormatVersion: '2.0' } } },
  };
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Transform: 'AWS::Serverless-2016-10-31',
    Description: 'For sam local, written by tools/sam-template.ts. serverless.yml is what is deployed.',
    Resources: { UpdateFileLambdaFunction: { Type: 'AWS::Serverless::Function', Properties } },
  };
};

if (import.meta.main) {
  const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'] || findDatabase()?.['AWS_ENDPOINT_URL_DYNAMODB'];
  const file = join(projectRoot, '.serverless', 'sam-template.json');
  writeFileSync(file, `${JSON.stringify(createSamTemplate(endpoint), undefined, 2)}\n`);
}
