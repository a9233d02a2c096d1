// First, because an editor starts vitest with a Node of its own.
import './tools/node-version.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, DefaultReporter, type TestCase } from 'vitest/node';
import { limitOf } from './test/support/runs.ts';
import { applyEnvironment, withoutUserAws } from './tools/tables/environment.ts';

const words = process.argv.slice(2);
/** A run of some files only cannot cover everything. */
const isWhole = words.every((word) => word === 'run' || word.startsWith('-'));
/** Without `--project NAME`, only the first project runs. Stryker cannot name one. */
const isNamed = words.some((word) => /^(-p|--project)\b/.test(word));
/** With a sequencer of ours, vitest would shuffle the tests of a file, but no files. */
const isShuffled = words.some((word) => word.startsWith('--sequence.shuffle'));
const isMutated = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;
/** `-u` writes openapi.yaml, after tests have read it. */
const WRITES_PAGES = String(words.some((word) => /^(-u|--update)\b/.test(word)));
/** The project that calls the AWS of the user. */
const isSmoke = words.includes('smoke');
if (isSmoke && !process.env['CONTRACT_URL']) {
  // vitest would print an error with its stack.
  process.stderr.write('Set CONTRACT_URL to the address of the service.\n');
  process.exit(1);
}
const thresholds = { statements: 100, branches: 100, functions: 100, lines: 100 };
const { AWS_ENDPOINT_URL_DYNAMODB } = process.env;
/** What lib/ reads by name: a shell may have it from a deployment or from a tool for Lambda. */
const lib = join(import.meta.dirname, 'lib');
const sources = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ts$/.test(file));
const readByFunction = sources
  .flatMap((file) => [...readFileSync(join(lib, file), 'utf8').matchAll(/process\.env\['(\w+)'\]/g)])
  .map(([, name]) => [name, undefined]);
const ofTheShell = { ...Object.fromEntries(readByFunction), ...withoutUserAws() };
if (!isSmoke) applyEnvironment({ ...ofTheShell, AWS_ENDPOINT_URL_DYNAMODB });
/** For the workers, and for all that the tests start. */
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'node');

type Tests = NonNullable<TestProjectInlineConfiguration['test']>;
const inFolders = (...folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);
const restore = ['test/support/restore.ts'];
const embeddedEngine = ['test/support/engine.ts'];
const MINUTE_MS = 60_000;
/** For tests that start programs or install packages. A busy machine takes several times as long. */
const patient = {
  testTimeout: 30 * MINUTE_MS,
  hookTimeout: 30 * MINUTE_MS,
  expect: { poll: { timeout: MINUTE_MS } },
};

/**
 * `npm test`: each folder of `test/` but `lanes`. Nothing here waits for real time, uses a socket or starts a program, apart
 * from the embedded engine, esbuild and `.ci/run --list`.
 */
const tests: Tests = {
  name: 'tests',
  include: inFolders('!(lanes)'),
  globalSetup: embeddedEngine,
  setupFiles: restore,
  // The shell may have the variables of a deployment, from docs/deploy.md. These tests must not touch it.
  env: {
    CONTRACT_URL: '',
    CONTRACT_DATA: '',
    API_KEYS_TABLE: '',
    SPACES_TABLE: '',
    FILES_TABLE: '',
    WRITES_PAGES,
  },
};

/** Has the tests of a folder of `test/lanes`, and a lane of that name in .ci/run. */
const lane = (name: string): Tests => ({ ...patient, name, include: inFolders(`lanes/${name}`) });
const others: Tests[] = [
  // The bundle that is deployed and the command lines, in processes of their own.
  {
    ...tests,
    ...lane('bundle'),
    // No test of it takes more than half a minute, beside 15 busy processes on two cores.
    testTimeout: 2 * MINUTE_MS,
    include: [...inFolders('lanes/bundle'), 'test/lanes/smoke/contract.test.ts'],
  },
  // What an engine shows, on DynamoDB Local, which Maven downloads.
  {
    ...tests,
    ...lane('dynamodb-local'),
    include: inFolders('engine'),
    globalSetup: ['test/engine/dynamodb-local.ts'],
  },
  // A service that runs at CONTRACT_URL: `npm run smoke`. It has the records of the data file CONTRACT_DATA, or else
  // the demo data. The lane `bundle` sends the same cases to a local one.
  { name: 'smoke', include: inFolders('lanes/smoke'), fileParallelism: false },
  // The zip that is deployed, under AWS's own runtime client.
  {
    ...lane('lambda'),
    globalSetup: [...embeddedEngine, 'test/lanes/lambda/setup.ts'],
    setupFiles: restore,
  },
  // The programs of docs/client.md, word for word. They install packages.
  { ...lane('client'), setupFiles: restore },
  // The page of /docs in Chromium. `.ci/run browser` installs its packages.
  lane('browser'),
  // The rules of the packaged templates. PACKAGES names a folder that keeps the packages.
  { ...lane('template'), globalSetup: ['test/lanes/template/setup.ts'] },
  // Deploys by the real CLI to moto.
  lane('deployment'),
];

/**
 * The tests of `npm test` that run handlers/ and lib/ in their own process: Stryker changes the source there. One worker
 * takes all files, because each run starts its workers again.
 */
const mutationTests: Tests = {
  ...tests,
  name: 'mutation',
  globalSetup: [],
  include: inFolders('unit', 'requests'),
  env: { ...tests.env, RUNS_SCALE: '0.1' },
  maxWorkers: 1,
};
type Files = Parameters<BaseSequencer['sort']>[0];
/** The first test that fails ends a run of Stryker, so the quick files go first. vitest begins with the slow ones. */
class QuickFirst extends BaseSequencer {
  override async sort(files: Files) {
    return (await super.sort(files)).toReversed();
  }
}
/** A mistake in the code fails many tests. Those of its own file name the cause, and take seconds. */
class UnitFirst extends BaseSequencer {
  override async sort(files: Files) {
    const { unit = [], rest = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      moduleId.includes('/test/unit/') ? 'unit' : 'rest',
    );
    return [...unit, ...rest];
  }
}

/**
 * One line for each file that ends, and one at once for each test that is red. vitest itself lists the tests of a red file
 * when it ends, with the green ones: up to 1,400.
 */
class EarlyReporter extends DefaultReporter {
  override onTestCaseResult(test: TestCase) {
    super.onTestCaseResult(test);
    const isRed = test.result().state === 'failed' && !this.renderSucceed;
    if (isRed) this.log(` × ${test.module.relativeModuleId} > ${test.fullName}`);
  }
  override printTestCase(...[state, test]: Parameters<DefaultReporter['printTestCase']>) {
    // A single file in a terminal shows each of its tests.
    if (this.renderSucceed) super.printTestCase(state, test);
  }
}
const reporters = [new EarlyReporter(), ...(process.env['GITHUB_ACTIONS'] ? ['github-actions'] : [])];

const chosen = isMutated ? [mutationTests] : isNamed ? [tests, ...others] : [tests];

export default defineConfig({
  test: {
    projects: chosen.map((test) => ({ extends: true as const, test })),
    ...(!isShuffled && { sequence: { sequencer: isMutated ? QuickFirst : UnitFirst } }),
    // As in the search for faults, some values are sentences.
    taskTitleValueFormatTruncate: 120,
    // A missing snapshot fails too. `-u` writes the snapshots.
    update: 'none',
    // A worker keeps its modules from one file to the next.
    isolate: false,
    // Most tests take milliseconds. A promise that never settles is red soon, also on a busy machine.
    testTimeout: limitOf(90_000),
    hookTimeout: limitOf(90_000),
    reporters,
    // After some failures of a file, the others are skipped (test/support/restore.ts). Nobody wants a list of them.
    hideSkippedTests: true,
    // No test reads a page while another one writes it.
    maxWorkers: WRITES_PAGES === 'true' ? 1 : availableParallelism(),
    coverage: {
      include: ['handlers/**', 'lib/**'],
      reporter: ['text'],
      ...(isWhole && { thresholds }),
    },
  },
});
