import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, execute, run, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../../package.json' with { type: 'json' };

const folder = temporaryFolder();
afterAll(folder.remove);
/** In place of npm: a help text needs no install. */
writeFileSync(join(folder.path, 'npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });

const PATH = [folder.path, dirname(process.execPath), process.env['PATH']].join(delimiter);

/** All scripts of package.json that are a program of ours, and not one of a package. */
const scripts = Object.entries(packageJson.scripts).filter(([, command]) => command.endsWith('.ts'));
test.each(scripts)('`npm run %s -- --help` begins with this name', async (name, command) => {
  const args = ['-c', `${command} --help`];
  const result = await execute('sh', args, { env: bareEnvironment({ PATH }), cwd: projectRoot });
  const usage = `Usage: npm ${name === 'start' ? name : `run ${name}`} -- `;
  expect(result).toStrictEqual({ code: 0, stdout: expect.stringMatching(`^${usage}`), stderr: '' });
});

/** All programs that a person runs. */
const programs = globSync('{tools,bench}/**/*.ts', { cwd: projectRoot }).filter((file) =>
  /^ *await runCommand\(/m.test(readFileSync(join(projectRoot, file), 'utf8')),
);
// An option that the usage does not name is found by nobody, and npm may keep it for itself in silence.
test.each(programs)('the usage of %s names each option that it takes', async (program) => {
  const [{ stdout: usage }, { stderr }] = await Promise.all([run([program, '-h']), run([program, '--none'])]);
  const [, taken = ''] = /The options are (.+), --help\./.exec(stderr) ?? [];
  expect(usage).toContain('Usage: np');
  expect(taken.match(/--[\w-]+/g)?.filter((option) => !usage.match(`${option}\\b`)) ?? []).toEqual([]);
});

test('`npm start --watch` says that npm needs a --', async () => {
  const env = bareEnvironment({ PATH, npm_config_watch: 'true' });
  const result = await execute('sh', ['-c', packageJson.scripts.start], { env, cwd: projectRoot });
  const stderr = 'npm has kept the option --watch for itself. npm needs -- before all options.\n';
  expect(result).toStrictEqual({ code: 1, stdout: '', stderr });
});

test('`npm run smoke` without an address says in one sentence what is missing', async () => {
  const env = bareEnvironment({ CONTRACT_URL: '' });
  const result = await execute('sh', ['-c', packageJson.scripts.smoke], { env, cwd: projectRoot });
  expect(result).toStrictEqual({
    code: 1,
    stdout: '',
    stderr: 'Set CONTRACT_URL to the address of the service.\n',
  });
});

test.each([
  ['20.20.2', 1],
  ['22.17.9', 1],
  ['22.18.0', 0],
  ['24.0.0', 0],
])('each script on Node %s begins with exit code %i', async (version, code) => {
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  const script = `${versions}; import('./tools/node-version.mjs')`;
  const result = await run(['--input-type=module', '--eval', script]);
  expect([result.code, result.stderr.includes(`This is Node ${version}.`)]).toStrictEqual([code, code === 1]);
});

/** Any text of up to 512 characters can be an API key. It may be typed in any place, and CI keeps what is printed. */
const canary = 'sfk_0123456789canary';
const broken = join(folder.path, 'broken.json');
writeFileSync(broken, `{"apiKeys": [{"key": "${canary}"}],\n "files": ${canary}}`);
const unfit = join(folder.path, 'unfit.json');
writeFileSync(
  unfit,
  `{"apiKeys": [{"key": "${canary}", "scope": "${canary}", "${canary}": 1}], "spaces": "${canary}"}`,
);

test.each([
  ...programs.flatMap((program) => [
    [program, canary],
    [program, `--${canary}`],
  ]),
  ['tools/dev-server/start.ts', `--port=${canary}`],
  ['tools/dev-server/start.ts', '--port=0', '--db', `/nowhere/${canary}`],
  ['tools/dev-server/start.ts', '--data', canary],
  ['tools/dev-server/start.ts', '--data', broken],
  ['tools/tables/seed.ts', 'write', unfit],
  ['tools/tables/seed.ts', 'write', broken, `--yes=${canary}`],
  ['tools/tables/seed.ts', 'new', `/nowhere/${canary}`],
  ['tools/bundle/source-lines.ts', `${canary}.cjs.0123456789abcdef.map`],
  ['tools/tables/api-key.ts', 'create', '--role', canary, '--expires', canary, `--keep=${canary}`],
  ['tools/tables/api-key.ts', 'identify', canary],
  ['tools/tables/api-key.ts', 'revoke', canary],
  ['tools/tables/api-key.ts', 'list', '--table', canary],
])('%s %s %s prints no key that stands in a wrong place', async (...args) => {
  const nowhere = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1', AWS_REGION: 'us-east-1' };
  const isClient = args[0] === 'tools/tables/api-key.ts';
  const { code, stdout, stderr } = await run(args, bareEnvironment(isClient ? nowhere : {}));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).not.toContain('sfk_');
  // Something is said, and no stack.
  expect(stderr).toMatch(/^[A-Z-].*\.?\n/);
});

const vitest = 'node_modules/vitest/vitest.mjs';

test('an editor with Node 20 that starts vitest by itself gets the same sentence', async () => {
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`;
  const preload = `data:text/javascript,${encodeURIComponent(fake)}`;
  const { code, stderr } = await run(['--import', preload, vitest, 'run', 'test/unit/fields.test.ts']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('This is Node 20.20.2.') });
});

test('what a shell may have of Lambda, of a deployment, or of itself does not change the tests', async () => {
  const env = bareEnvironment({
    BUNDLE_HASH: '0123456789abcdef',
    COMMIT: '0942a7c',
    _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
    AWS_USE_FIPS_ENDPOINT: 'true',
    HISTORY: '/home/ada/.history',
  });
  const files = [
    'test/unit/log-line.test.ts',
    'test/requests/headers.test.ts',
    'test/simulation/histories.test.ts',
  ];
  const { code, stdout } = await run([vitest, 'run', ...files], env);
  expect(code, stdout).toBe(0);
});

const forThisMachine = { os: [process.platform], cpu: [process.arch], optional: true };
const lockfile = {
  packages: {
    '': { engines: { node: '>=22.18' } },
    'node_modules/parser': {
      optionalDependencies: { 'parser-gnu': '1', 'parser-musl': '1', 'parser-aix': '1' },
    },
    'node_modules/parser-gnu': forThisMachine,
    'node_modules/parser-musl': forThisMachine,
    'node_modules/parser-aix': { os: ['aix'], cpu: ['ppc64'], optional: true },
    'node_modules/types-of-a-peer': { peer: true },
  },
};

test.each([
  [['parser-gnu', 'parser'], 0, ''],
  [
    [],
    0,
    'npm has left out packages that the commands of this project need (NODE_ENV=production, or omit=dev): run "npm ci --include=dev".\n',
  ],
  [
    ['parser'],
    1,
    'npm has left out the native code of parser (too old a Node, a failed download, or --omit=optional): install Node >=22.18, and run "npm ci" again.\n',
  ],
])('an install of %j ends with exit code %i', async (installed, code, stderr) => {
  const cwd = mkdtempSync(join(folder.path, 'install-'));
  writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify(lockfile));
  for (const name of installed) mkdirSync(join(cwd, 'node_modules', name), { recursive: true });
  const result = await run([join(projectRoot, 'tools/complete-install.mjs')], bareEnvironment(), cwd);
  expect(result).toStrictEqual({ code, stdout: '', stderr });
});
