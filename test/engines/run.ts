import { join } from 'node:path';
import { missingTools } from '#test/support/missing-tools.ts';
import { runVitest } from '#test/support/run-vitest.ts';
import { parseOptions, runCommand, UsageError } from '#tools/cli.ts';
import { fetchJars } from './fetch-jars.ts';
import { startDynamoDbLocal } from './start-dynamodb-local.ts';

const usage = `Usage: npm run test:engines

Runs the tests that talk to a DynamoDB engine on another one than the embedded: the one that
AWS_ENDPOINT_URL_DYNAMODB names, or DynamoDB Local, which Maven fetches and Java 17 or newer runs.

  --help  show this text

What differs between the engines: docs/assurance.md.
`;

const openEngine = async () => {
  const given = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (given) return { name: 'The engine', endpoint: given, stop: async () => undefined };
  if (process.arch !== 'x64') {
    throw new UsageError(
      'DynamoDB Local as Maven delivers it has native libraries for x64 only: name an engine in AWS_ENDPOINT_URL_DYNAMODB.',
    );
  }
  const missing = missingTools(['java', 'mvn']);
  if (missing.length > 0) {
    throw new UsageError(
      `DynamoDB Local needs Java 17 and Maven, and there is no ${missing.join(' and no ')}: install them ` +
        '(`apt-get install openjdk-17-jre-headless maven` on Debian), or name an engine in AWS_ENDPOINT_URL_DYNAMODB.',
    );
  }
  return startDynamoDbLocal(await fetchJars());
};

/** `npm run test:engines`: the tests on another DynamoDB engine. */
await runCommand(async () => {
  const { help } = parseOptions(process.argv.slice(2), 'npm run test:engines', {
    help: { type: 'boolean', default: false },
  });
  if (help) return void process.stdout.write(usage);
  const { name, endpoint, stop } = await openEngine();
  process.stdout.write(`${name} answers at ${endpoint}.\n`);
  await runVitest(join(import.meta.dirname, 'vitest.config.ts'), { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  await stop();
});
