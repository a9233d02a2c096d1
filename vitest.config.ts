import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

const root = import.meta.dirname;
const words = process.argv.slice(2);
/** A run of some files only cannot cover everything. */
const isWhole = words.every((word) => word === 'run' || word.startsWith('-'));
/** Without `--project NAME`, only the first project runs. Stryker cannot name one. */
const isNamed = words.some((word) => /^(-p|--project)\b/.test(word));
const isMutated = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;
/** Ends with a sentence: vitest would print an error with its stack. */
const stop = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};
if (words.includes('smoke') && !process.env['CONTRACT_URL'])
  stop('Set CONTRACT_URL to the address of the service.');
if (process.env['npm_config_coverage'])
  stop('npm has kept the option --coverage for itself. npm needs -- before all options.');
const thresholds = { statements: 100, branches: 100, functions: 100, lines: 100 };
/** For the workers, and for all that the tests start. */
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'node');

type Tests = NonNullable<TestProjectInlineConfiguration['test']>;
/** For files of tests that share what they change. */
const oneByOne = { fileParallelism: false };
const restore = ['test/support/restore.ts'];
const embeddedEngine = ['test/support/engine.ts'];

/** `npm test`. */
const tests: Tests = {
  name: 'tests',
  include: ['test/**/*.test.ts'],
  globalSetup: embeddedEngine,
  setupFiles: restore,
  // The shell may have the variables of a deployment, from docs/operations.md. These tests must not touch it.
  env: { CONTRACT_URL: '', CONTRACT_DATA: '', API_KEYS_TABLE: '', SPACES_TABLE: '', FILES_TABLE: '' },
};

const usesEngine = (file: string) =>
  /inject\('endpoint'\)|openTables/.test(readFileSync(join(root, file), 'utf8'));
const others: Tests[] = [
  // The bundle without the shim for the client (docs/decisions/006).
  {
    ...tests,
    name: 'plain-client',
    include: ['test/requests/events.test.ts', 'test/faults/process/*.test.ts'],
    env: { ...tests.env, WITHOUT: 'fast-client' },
  },
  // The tests that use an engine, on DynamoDB Local, which Maven downloads.
  {
    ...tests,
    name: 'dynamodb-local',
    include: globSync('test/**/*.test.ts', { cwd: root }).filter(usesEngine),
    globalSetup: ['test/tools/engines/engine.ts'],
    // It starts slowly: with more, a call may take longer than the function waits.
    maxWorkers: 2,
  },
  // A service that runs at CONTRACT_URL: `npm run smoke`. It has the records of the data file CONTRACT_DATA, or else
  // the demo data. In `npm test`, the service is a local one.
  { name: 'smoke', include: ['test/requests/contract/{contract.test,deployment.smoke}.ts'], ...oneByOne },
  // The zip that is deployed, under AWS's own runtime client: `npm run test:lambda`.
  {
    name: 'lambda',
    include: ['test/tools/lambda/*.lambda.ts'],
    globalSetup: [...embeddedEngine, 'test/tools/lambda/setup.ts'],
    setupFiles: restore,
  },
  // Clients that other tools generate from openapi.yaml, and Schemathesis: `npm run test:generated`. The first run
  // downloads the tools.
  { name: 'generated', include: ['test/client/generated/*.generated.ts'], testTimeout: 900_000 },
  // The page of /docs in Chromium: `.ci/run browser`.
  { name: 'browser', include: ['test/tools/browser/*.browser.ts'], expect: { poll: { timeout: 10_000 } } },
  // Adds an operation to a copy of the project: `.ci/run operation`.
  {
    name: 'operation',
    include: ['test/documents/operation.exercise.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
  // The rules of the packaged templates: `.ci/run template`. PACKAGES names a folder that keeps the packages.
  {
    name: 'template',
    include: ['test/documents/infra/*.template.ts'],
    globalSetup: ['test/documents/infra/setup.ts'],
  },
  // Deploys by the real CLI to moto: `.ci/run deployment`.
  { name: 'deployment', include: ['test/documents/deploy/*.deploy.ts'], testTimeout: 1_800_000 },
];

/**
 * The tests of `npm test` that run handlers/, lib/ and client/ in their own process: Stryker changes the source there. One
 * worker takes all files, because each run starts its workers again.
 */
const mutationTests: Tests = {
  ...tests,
  name: 'mutation',
  include: ['test/unit/*.test.ts', 'test/client/client.test.ts', 'test/requests/{access/,}*.test.ts'],
  env: { ...tests.env, RUNS_SCALE: '0.1' },
  maxWorkers: 1,
};
/** The first test that fails ends a run of Stryker, so the quick files go first. vitest begins with the slow ones. */
class QuickFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    return (await super.sort(files)).toReversed();
  }
}

const chosen = isMutated ? [mutationTests] : isNamed ? [tests, ...others] : [tests];

export default defineConfig({
  test: {
    projects: chosen.map((test) => ({ extends: true as const, test })),
    ...(isMutated && { sequence: { sequencer: QuickFirst } }),
    // As in the search for faults, some values are sentences.
    taskTitleValueFormatTruncate: 120,
    // A missing snapshot fails too. `-u` writes the snapshots.
    update: 'none',
    // A worker keeps its modules from one file to the next.
    isolate: false,
    // For a machine that is busy with other work: most tests take milliseconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // vitest leaves one core free; many tests wait for a process or a socket.
    maxWorkers: availableParallelism() + 2,
    coverage: {
      include: ['client/*.ts', 'handlers/**', 'lib/**'],
      // It runs only as it is built (test/tools/bundle/load.test.ts).
      exclude: ['lib/runtime/entry.ts'],
      reporter: ['text'],
      ...(isWhole && { thresholds }),
    },
  },
});
