import { join } from 'node:path';
import { runCommand } from '#local/command.ts';
import { parseOptions } from '#local/parse-options.ts';
import { runVitest } from '#test/support/run-vitest.ts';
import { installRuntimeClient } from './install.ts';

const usage = `Usage: npm run test:lambda

Runs the zip that \`serverless package\` makes under AWS's own runtime client, which the first run builds
in test/lambda/runtime-client (Linux, with cmake and g++): every event of events/, errors at load, and how
long a cold start takes and how much memory it needs.

  --help  show this text
`;

/** `npm run test:lambda`: the deployed zip under AWS's own runtime client. */
await runCommand(async () => {
  const { help } = parseOptions(process.argv.slice(2), 'npm run test:lambda', {
    help: { type: 'boolean', default: false },
  });
  if (help) return void process.stdout.write(usage);
  await installRuntimeClient();
  await runVitest(join(import.meta.dirname, 'vitest.config.ts'));
});
