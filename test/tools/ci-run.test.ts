import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { execute, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const script = join(folder.path, 'my clone', '.ci', 'run');
cpSync(join(projectRoot, '.ci', 'run'), script);
const temporary = join(folder.path, 'tmp');
mkdirSync(temporary);

/** In place of every program that a check starts. It prints its command line, and fails if that contains $FAILING. */
const stub = join(folder.path, 'stub');
const stubSource = `#!/bin/sh
case $1 in test) echo "In $(pwd | sed 's/.*\\///')" ;; esac
echo "\${0##*/} $*"
case "$*" in
  test*) printf ' Test Files  1 passed (1)\\n      Tests  2 passed (2)\\n   Duration  3s\\n' ;;
  *test:generated) echo ' ↓ some-client [Not installed: some-tool.]' ;;
esac
case "\${0##*/} $*" in *"$FAILING"*) exit 1 ;; esac
`;
writeFileSync(stub, stubSource, { mode: 0o755 });

/** A folder for PATH with the stub under some names, and the programs of the system but those that are not installed. */
const bin = join(folder.path, 'bin');
mkdirSync(bin);
const stubs = ['npm', 'npx', 'git', 'java', 'mvn', 'cmake', 'valgrind'];
for (const name of stubs) symlinkSync(stub, join(bin, name));
const absent = ['python3', 'g++', 'go'];
const system = ['/usr/bin', '/bin'].flatMap((path) =>
  readdirSync(path).map((name) => [name, join(path, name)] as const),
);
for (const [name, file] of new Map(system))
  if (![...stubs, ...absent].includes(name)) symlinkSync(file, join(bin, name));

const runChecks = async (args: string[], failing = 'nothing') => {
  const env = { PATH: bin, TMPDIR: temporary, CHROMIUM: 'some-browser', FAILING: failing };
  const { code, stdout, stderr } = await execute(script, args, { env, cwd: '/' });
  const results = [...stdout.matchAll(/^== (\w+): (passed|FAILED) after \d+ seconds$/gm)];
  const resultOf = Object.fromEntries(results.map(([, check, result]) => [check, result]));
  return { code, stdout, stderr, resultOf, end: stdout.slice(stdout.indexOf('== npm test')) };
};

const passed = {
  api_description: 'passed',
  benchmark: 'passed',
  client_package: 'passed',
  commits: 'passed',
  deployment: 'passed',
  docs_page: 'passed',
  documents: 'passed',
  dynamodb_local: 'passed',
  generated_clients: 'passed',
  lambda: 'passed',
  plain_client: 'passed',
  search: 'passed',
  secrets: 'passed',
  template: 'passed',
  types_and_lint: 'passed',
  workflows: 'passed',
};
const summary = `== npm test
 Test Files  1 passed (1)
      Tests  2 passed (2)
   Duration  3s
`;
const notRun = [
  'deployment did not run: python3 is not installed.',
  'generated_clients did not run some-client [Not installed: some-tool.]',
  'lambda did not run: g++ is not installed.',
  'secrets did not run: go is not installed.',
  'template did not run: python3 is not installed.',
  'workflows did not run: python3 is not installed.',
];

test('`.ci/run` runs what the machine has the tools for, and lists the rest at the end', async () => {
  const { code, stdout, stderr, resultOf, end } = await runChecks([]);
  expect([code, stderr, resultOf]).toEqual([0, '', passed]);
  expect(stdout.split('\n').slice(0, 3)).toEqual(['npm ci', 'In a clone', 'npm test -- --coverage']);
  expect(stdout).toContain('npx vitest run --project dynamodb-local\n');
  const [shown, list = ''] = end.split('\n== Not run on this machine\n');
  expect([shown, list.trim().split('\n').toSorted()]).toEqual([summary, notRun]);
  expect(readdirSync(temporary)).toEqual([]);
});

test('`.ci/run --all` fails if something was not run', async () => {
  const { code, resultOf, end } = await runChecks(['--all']);
  expect([code, resultOf, end]).toEqual([1, passed, expect.stringContaining('lambda did not run')]);
});

test('.ci/run says that it did not check commits in a copy without their history', async () => {
  const { code, resultOf, end } = await runChecks([], 'git merge-base');
  expect([code, resultOf]).toEqual([0, passed]);
  expect(end).toContain('commits did not run: this copy has no history since 4de15da.\n');
});

test.each([
  ['api_description', 'redocly'],
  ['commits', 'commitlint'],
  ['documents', 'markdownlint-cli2'],
  ['docs_page', 'npm ci --prefix test/tools/browser'],
  ['benchmark', 'npm run bench'],
  ['generated_clients', 'npm run test:generated'],
  ['dynamodb_local', 'dynamodb-local'],
])('`.ci/run` runs the other checks and fails if %s fails', async (check, failing) => {
  const { code, resultOf, end } = await runChecks([], failing);
  expect([code, resultOf]).toEqual([1, { ...passed, [check]: 'FAILED' }]);
  expect(end.endsWith(`\n== Failed\n${check}\n`)).toBe(true);
});

test.each(['npm ci', 'npm test'])('`.ci/run` ends if `%s` fails', async (failing) => {
  const { code, stdout } = await runChecks([], failing);
  expect([code, stdout]).toEqual([1, expect.not.stringContaining('== ')]);
});
