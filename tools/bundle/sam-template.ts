import { stringify } from 'yaml';
import { runCommand, UsageError } from '#tools/cli.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';
import { readTableNames } from '#tools/tables/environment.ts';

const usage = `Usage: npx -c 'node tools/bundle/sam-template.ts' > .local/sam.yaml

Prints a template with the functions of serverless.yml, for AWS's Lambda container and the engine of a running
\`npm start\`. It prints the address of the engine ("DynamoDB at ..."). A container on Linux reaches it with
--docker-network host:

  npx serverless package
  sam local invoke UpdateFile -t .local/sam.yaml -e events/update-file.json --docker-network host \\
    --parameter-overrides Endpoint=http://ADDRESS:PORT
`;

await runCommand(usage, async () => {
  if (process.argv.length > 2) throw new UsageError(usage);
  const { runtime, architecture, functions } = readServerlessConfig();
  const toResource = ({ name, file, limits, routeKey }: (typeof functions)[number]) => {
    const [Method, Path] = routeKey.split(' ');
    const Properties = {
      CodeUri: '../.serverless/space-files.zip',
      Handler: `dist/${file}.handler`,
      Runtime: runtime,
      Architectures: [architecture],
      MemorySize: limits.memorySize,
      Timeout: limits.timeout,
      Environment: {
        Variables: { ...readTableNames(), AWS_ENDPOINT_URL_DYNAMODB: { Ref: 'Endpoint' } },
      },
      Events: { Http: { Type: 'HttpApi', Properties: { Method, Path, PayloadFormatVersion: '2.0' } } },
    };
    return [
      `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      { Type: 'AWS::Serverless::Function', Properties },
    ];
  };
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    Transform: 'AWS::Serverless-2016-10-31',
    Parameters: { Endpoint: { Type: 'String' } },
    Resources: Object.fromEntries(functions.map(toResource)),
  };
  process.stdout.write(stringify(template));
});
