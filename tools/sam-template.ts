// Writes .serverless/sam-template.json, with which the AWS SAM CLI runs the packaged function in a Lambda container:
//
//   npx serverless package && npx node tools/sam-template.ts
//   sam local invoke -t .serverless/sam-template.json -e events/updated.json --docker-network host
//
// The function calls AWS_ENDPOINT_URL_DYNAMODB, or else the engine of a running `npm start`, or else AWS. A container
// on Linux reaches the engine with --docker-network host. Elsewhere, set an endpoint that a container can reach.

import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runCommand, UsageError } from './cli.ts';
import { readState } from './dev-server/environment.ts';
import { routeKey } from './dev-server/http-event.ts';
import { readService } from './dev-server/service.ts';
import { projectRoot } from './project.ts';

const zip = 'space-files.zip';

/**
 * Writes the function and its route as a SAM template, without tables and role, beside the packaged zip.
 *
 * @param folder with the output of `serverless package`
 * @param endpoint of DynamoDB; the function calls AWS if omitted
 * @returns the path of the template
 * @throws {UsageError} if nothing was packaged yet
 */
export const writeSamTemplate = (folder: string, endpoint?: string): string => {
  if (!existsSync(join(folder, zip))) {
    throw new UsageError('There is no package yet: run `npx serverless package` first.');
  }
  const { timeoutSeconds, memoryMegabytes, tableNames, handler, runtime, architecture } = readService();
  const [Method, Path] = routeKey.split(' ');
  const Properties = {
    CodeUri: zip,
    Handler: handler,
    Runtime: runtime,
    Architectures: [architecture],
    MemorySize: memoryMegabytes,
    Timeout: timeoutSeconds,
    Environment: { Variables: { ...tableNames, AWS_ENDPOINT_URL_DYNAMODB: endpoint } },
    Events: { Http: { Type: 'HttpApi', Properties: { Method, Path, PayloadFormatVersion: '2.0' } } },
  };
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    Transform: 'AWS::Serverless-2016-10-31',
    Description: 'For sam local, written by tools/sam-template.ts. serverless.yml is what is deployed.',
    Resources: { UpdateFileLambdaFunction: { Type: 'AWS::Serverless::Function', Properties } },
  };
  const file = join(folder, 'sam-template.json');
  writeFileSync(file, `${JSON.stringify(template, undefined, 2)}\n`);
  return file;
};

if (import.meta.main) {
  await runCommand(async () => {
    const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'] || readState()?.endpoint;
    const file = writeSamTemplate(join(projectRoot, '.serverless'), endpoint);
    process.stdout.write(`${relative(process.cwd(), file)}\n`);
  });
}
