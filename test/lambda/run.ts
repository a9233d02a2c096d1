import { join } from 'node:path';
import { runVitest } from '#test/support/run-vitest.ts';
import { parseOptions, runCommand, UsageError } from '#tools/cli.ts';
import { installRuntimeClient } from './install.ts';

const usage = `Usage: npm run test:lambda [-- options]

Runs the zip that \`serverless package\` makes under AWS's own runtime client, which the first run builds
in test/lambda/runtime-client (Linux, with cmake and g++): every event of events/, errors at load, and how
long a cold start takes and how much memory it needs.

  --where-possible  where the client cannot be built, say why and end well
  --help            show this text
`;

const options = {
  'where-possible': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** `npm run test:lambda`: the deployed zip under AWS's own runtime client. */
await runCommand(async () => {
  const { help, ...given } = parseOptions(process.argv.slice(2), 'npm run test:lambda', options);
  if (help) return void process.stdout.write(usage);
  try {
    await installRuntimeClient();
  } catch (error) {
    if (!given['where-possible'] || !(error instanceof UsageError)) throw error;
    return void process.stdout.write(`Left out. ${error.message}\n`);
  }
  await runVitest(join(import.meta.dirname, 'vitest.config.ts'));
});
