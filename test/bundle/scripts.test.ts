import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bareEnvironment, execute, run, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

const folder = temporaryFolder();
afterAll(folder.remove);
/** In place of npm: a help text needs no install. */
writeFileSync(join(folder.path, 'npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });

test.each<[keyof typeof packageJson.scripts, string, string, ...string[]]>([
  ['start', '--help', 'npm start -- [options]', '--port N', 'AWS_ENDPOINT_URL_DYNAMODB', 'API_KEYS_TABLE'],
  ['check', '-h', 'npm run check -- [--write]', '--write'],
  ['build', '-h', 'npm run build -- [options]', '--without NAME'],
  ['api-key', '--help', 'npm run api-key -- <command>', 'rotate KEYID', 'API_KEYS_TABLE'],
  ['seed', '-h', 'npm run seed -- <command> FILE', 'remove', 'SPACES_TABLE'],
  ['bench', '--help', 'npm run bench -- [options]', '--against COMMIT'],
])('`npm run %s -- %s` prints the usage %s, with %s', async (script, option, command, ...settings) => {
  const args = ['-c', `${packageJson.scripts[script]} ${option}`];
  const PATH = [folder.path, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const { stdout, ...rest } = await execute('sh', args, { env: bareEnvironment({ PATH }), cwd: projectRoot });
  expect(rest).toStrictEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`Usage: ${command}`);
  expect(settings.filter((setting) => !stdout.includes(setting))).toStrictEqual([]);
});

/** What npm makes of `npm start --watch`, which lacks a `--`. */
const swallowed = (option: string) =>
  `npm has kept the option --${option} for itself. npm needs -- before all options.\n`;
test.each<[keyof typeof packageJson.scripts, string]>([
  ['start', 'watch'],
  ['test', 'coverage'],
  ['check', 'write'],
  ['build', 'code-cache'],
  ['api-key', 'tenant'],
  ['bench', 'quick'],
])('`npm run %s --%s` says that npm needs a --', async (script, option) => {
  const PATH = [folder.path, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = bareEnvironment({ PATH, [`npm_config_${option.replace('-', '_')}`]: 'true' });
  const result = await execute('sh', ['-c', packageJson.scripts[script]], { env, cwd: projectRoot });
  expect(result).toStrictEqual({ code: 1, stdout: '', stderr: swallowed(option) });
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

const { platform, arch } = process;
const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;

test.each<[string, string[], string]>([
  ['links the packaged Node if npm has installed it only', [name], `rebuild ${name} --ignore-scripts`],
  ['leaves the packaged Node alone if it is linked', [name, '.bin/node'], ''],
  ['does nothing if there is no Node for this platform', ['.bin'], ''],
])('`npm ci` %s', (title, installed, expected) => {
  const root = join(folder.path, title);
  for (const path of installed) mkdirSync(join(root, 'node_modules', path), { recursive: true });
  cpSync('tools/link-node.mjs', join(root, 'tools', 'link-node.mjs'));
  const [npm, called] = [join(root, 'npm.cjs'), join(root, 'called')];
  writeFileSync(npm, `require('fs').writeFileSync('${called}', process.argv.slice(2).join(' '))`);
  const env = { ...process.env, npm_execpath: npm };
  expect(spawnSync(process.execPath, [join(root, 'tools', 'link-node.mjs')], { env }).status).toBe(0);
  expect(existsSync(called) ? readFileSync(called, 'utf8') : '').toBe(expected);
});
