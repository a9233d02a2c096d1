import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseOptions, runCommand, UsageError } from './cli.ts';
import { readState } from './dev-server/environment.ts';
import { routeKey } from './dev-server/http-event.ts';
import { readService } from './dev-server/service.ts';
import { projectRoot } from './project.ts';

const usage = `Usage: node tools/sam-template.ts

Writes .serverless/sam-template.json. The AWS SAM CLI runs the packaged function with it in a Lambda container:

  npx serverless package && node tools/sam-template.ts
  sam local invoke -t .serverless/sam-template.json -e events/updated.json --docker-network host

The function calls AWS_ENDPOINT_URL_DYNAMODB if that is set, or else the engine of a running npm start, or else AWS.
With --docker-network host, a container on Linux can reach the engine. Elsewhere, set an endpoint that it can reach.
`;

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
    const help = { help: { type: 'boolean' } } as const;
    const options = parseOptions(process.argv.slice(2), 'node tools/sam-template.ts', help);
    if (options.help) return void process.stdout.write(usage);
    const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'] || readState()?.endpoint;
    const file = writeSamTemplate(join(projectRoot, '.serverless'), endpoint);
    process.stdout.write(`${relative(process.cwd(), file)}\n`);
  });
}
