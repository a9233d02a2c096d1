import { parseArgs } from 'node:util';
import { runVitest } from '../support/run-vitest.ts';

const usage = `Usage: npm run smoke -- --url URL --tenant T --user U --space S --file F [options]

Checks within seconds whether a deployment works, with what only API Gateway can show: how it decodes paths and joins
headers, its own 404, 413 and 429, and TLS. For the whole contract, use npm run test:contract.

  --url URL             the service, up to /v1: https://example.execute-api.eu-west-1.amazonaws.com
  --tenant T --user U   the caller who updates the file
  --space S --file F    the file: create one for this test that nobody else updates
  --document-kind TEXT  the documentKind that the file has, if it has one
  --burst N             also send N requests, 50 at a time, and expect 429 for some of them. Use an N well above the
                        burst limit of the stage. They do not read DynamoDB, and cost N invocations
  --help                show this text

SMOKE_API_KEY in the environment is an API key of the tenant with the role editor or admin.
The test overwrites summary and documentKind of the file, and restores them at its end.
`;

const text = { type: 'string' } as const;

/** Runs the smoke test, or returns what is wrong with the command line. */
const run = async (args: string[]): Promise<string | undefined> => {
  const { values } = parseArgs({
    args,
    options: {
      ...{ url: text, tenant: text, user: text, space: text, file: text, 'document-kind': text, burst: text },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const { url, tenant, user, space, file, 'document-kind': documentKind, burst } = values;
  const key = process.env['SMOKE_API_KEY'];
  if (!key) return 'SMOKE_API_KEY is missing.';
  if (!url || !tenant || !user || !space || !file)
    return '--url, --tenant, --user, --space and --file are required.';
  if (burst !== undefined && !/^[1-9]\d{0,4}$/.test(burst))
    return '--burst must be a number from 1 to 99999.';
  const fixture = {
    tenantId: tenant,
    userId: user,
    apiKeys: {},
    spaces: { public: space },
    files: { detailed: { id: file, ...(documentKind !== undefined && { documentKind }) } },
  };
  await runVitest('test/contract/vitest.config.ts', {
    CONTRACT_URL: url,
    CONTRACT_KEY: key,
    CONTRACT_FIXTURE: JSON.stringify(fixture),
    CONTRACT_PART: 'smoke',
    ...(burst !== undefined && { CONTRACT_BURST: burst }),
  });
  return undefined;
};

/** `npm run smoke` */
const problem = await run(process.argv.slice(2)).catch((error: unknown) => String(error));
if (problem !== undefined) {
  process.stderr.write(`${problem}\nnpm run smoke -- --help lists the options.\n`);
  process.exitCode = 1;
}
