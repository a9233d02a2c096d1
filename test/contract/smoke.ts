import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const usage = `Usage: npm run smoke -- --url URL --tenant T --user U --space S --file F [--document-kind KIND] [--burst N]

Checks a deployment within seconds: some cases of the contract, and what only API Gateway can show. SMOKE_API_KEY in the
environment is an API key of the tenant with the role editor or admin.

The test overwrites summary and documentKind of the file, and restores them at its end. Create a file for this test that
nobody else updates. If it has a documentKind, state it.

--burst N also sends N requests and expects 429 for some of them. Use an N well above the burst limit of the stage. These
requests do not read DynamoDB, and cost N invocations.
`;

const text = { type: 'string' } as const;
const options = {
  ...{ url: text, tenant: text, user: text, space: text, file: text, 'document-kind': text, burst: text },
  help: { type: 'boolean' },
} as const;

/** Runs the smoke test. Throws for a command line that is not complete. */
const run = (args: string[]): void => {
  const { url, tenant, user, space, file, burst, ...more } = parseArgs({ args, options }).values;
  if (more.help) return void process.stdout.write(usage);
  const key = process.env['SMOKE_API_KEY'];
  if (!key) throw new Error('SMOKE_API_KEY is missing');
  if (!url || !tenant || !user || !space || !file) throw new Error('an option is missing');
  const fixture = {
    ...{ tenantId: tenant, userId: user, apiKeys: {}, spaces: { public: space } },
    files: { detailed: { id: file, documentKind: more['document-kind'] ?? null } },
  };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/contract/vitest.config.ts'];
  const { status } = spawnSync(process.execPath, vitest, {
    stdio: 'inherit',
    env: {
      ...process.env,
      CONTRACT_PART: 'smoke',
      CONTRACT_URL: url,
      CONTRACT_KEY: key,
      CONTRACT_FIXTURE: JSON.stringify(fixture),
      ...(burst !== undefined && { CONTRACT_BURST: burst }),
    },
  });
  process.exitCode = status ?? 1;
};

try {
  run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${String(error)}\nRun \`npm run smoke -- --help\` to list the options.\n`);
  process.exitCode = 1;
}
