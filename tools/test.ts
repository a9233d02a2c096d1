import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from './cli.ts';
import { projectRoot } from './project.ts';

const vitest = `All other arguments are for vitest: \`npx vitest --help\` lists them.
`;

/** The scripts of package.json that run tests: vitest's arguments before those of the user, and the help text. */
const suites: Readonly<Record<string, { args: readonly string[]; usage: string }>> = {
  test: {
    args: [],
    usage: `Usage: npm test -- [options] [file ...]

Runs the tests, or those of the files whose paths contain an argument, for example test/unit.

  --coverage  measure what the tests reach; a whole run fails below 100 %
  --help      show this text

Environment variables:

  AWS_ENDPOINT_URL_DYNAMODB=URL  use this DynamoDB engine instead of the embedded one
  HISTORIES=N                    search N histories in test/faults/simulation; from 100000 on, also all schedules
  SEED=N                         search other histories
  SCHEDULE=TEXT, HISTORY=PATH    repeat one schedule or history, as a failed search prints it
  UPDATES=N                      send N requests in test/faults/process/referee, whose network is faulty
  RUNS_SCALE=N                   try N times as many generated requests in test/requests/input and test/requests/access

${vitest}`,
  },
  'test:lambda': {
    args: ['--project', 'lambda'],
    usage: `Usage: npm run test:lambda

Packages the function and runs the zip under AWS's own runtime client. It needs Linux, cmake and g++. The first run
builds the client, which takes minutes.

  --help  show this text

Environment variable:

  AWS_ENDPOINT_URL_DYNAMODB=URL  use this DynamoDB engine instead of the embedded one

${vitest}`,
  },
  'test:generated': {
    args: ['--project', 'generated', '--reporter', 'verbose'],
    usage: `Usage: npm run test:generated

Runs our client on several versions of Node, clients that other tools generate from openapi.yaml, and Schemathesis.
The first run downloads the generators. A test is skipped if its tools, which README.md lists, are not installed.

  --help  show this text

${vitest}`,
  },
  smoke: {
    args: ['--project', 'smoke', '--reporter', 'verbose', '--bail', '30', 'deployment'],
    usage: `Usage: npm run smoke -- [contract]

Checks what only a deployment can show. With the argument contract, runs all cases of the contract. Both update only the
files of the data file, and restore them.

  --help  show this text

Environment variables:

  CONTRACT_URL=URL    the address of the service; required
  CONTRACT_DATA=FILE  the data file of its records, from \`npm run seed -- new FILE\`; without it, the demo data
  API_KEYS_TABLE, SPACES_TABLE, FILES_TABLE
                      with all three and AWS credentials, also compare the keys of these tables with the contract
  SMOKE_BURST=N       also send N requests, and expect that API Gateway limits their rate

docs/operations.md describes each step. ${vitest}`,
  },
};

const [name = '', ...given] = process.argv.slice(2);
const suite = suites[name];
if (suite === undefined) throw new Error(`There are no tests "${name}".`);

await runCommand(suite.usage, async () => {
  const file = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
  process.argv = [process.execPath, file, 'run', ...suite.args, ...given];
  await import(pathToFileURL(file).href);
});
