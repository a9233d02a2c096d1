import { join, relative } from 'node:path';
import { writeSamTemplate } from '#local/sam-template/write-sam-template.ts';
import { readState } from '#local/start/state-file.ts';
import { runCommand } from './command.ts';
import { parseOptions } from './parse-options.ts';
import { projectRoot } from './project.ts';

const usage = `Usage: npm run sam-template

Writes .serverless/sam-template.json, with which the AWS SAM CLI runs the packaged function in Lambda's own image:

  npx serverless package && npm run sam-template
  sam local invoke -t .serverless/sam-template.json -e events/updated.json --docker-network host

The function calls AWS_ENDPOINT_URL_DYNAMODB, or the engine of a running npm start, or else AWS. On Linux the host's
network lets it reach the engine; elsewhere name one that a container can reach.

  --help  show this text
`;

/** `npm run sam-template`. */
await runCommand(async () => {
  const { help } = parseOptions(process.argv.slice(2), 'npm run sam-template', {
    help: { type: 'boolean', default: false },
  });
  if (help) return void process.stdout.write(usage);
  const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'] || readState()?.endpoint;
  const file = writeSamTemplate(join(projectRoot, '.serverless'), endpoint);
  process.stdout.write(`${relative(process.cwd(), file)}\n`);
});
