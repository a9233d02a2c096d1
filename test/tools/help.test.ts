import { chmodSync, cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareEnvironment, execute, temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import packageJson from '../../package.json' with { type: 'json' };

const folder = temporaryFolder();
const clone = join(folder.path, 'clone');
/** After `npm ci`, without what single commands install, and on a machine where npm installs nothing. */
beforeAll(() => {
  const isSource = (path: string) =>
    path === projectRoot || !/^(node_modules|\..*|dist|coverage)$/.test(basename(path));
  cpSync(projectRoot, clone, { recursive: true, filter: isSource });
  symlinkSync(join(projectRoot, 'node_modules'), join(clone, 'node_modules'));
  const npm = join(folder.path, 'npm');
  writeFileSync(npm, '#!/bin/sh\necho "npm was called" >&2\nexit 1\n');
  chmodSync(npm, 0o755);
});
afterAll(folder.remove);

test.each<[keyof typeof packageJson.scripts, string, string, ...string[]]>([
  ['start', '--help', 'npm start -- [options]', '--port N', 'AWS_ENDPOINT_URL_DYNAMODB', 'API_KEYS_TABLE'],
  ['test', '-h', 'npm test -- [options]', 'HISTORIES=', 'SEED=', 'SCHEDULE=', 'UPDATES=', 'RUNS_SCALE='],
  ['test:lambda', '--help', 'npm run test:lambda', 'AWS_ENDPOINT_URL_DYNAMODB=', 'cmake'],
  ['test:generated', '-h', 'npm run test:generated', 'skipped'],
  ['smoke', '--help', 'npm run smoke -- [contract]', 'CONTRACT_URL=', 'CONTRACT_DATA=', 'SMOKE_BURST='],
  ['build', '-h', 'npm run build -- [options]', '--without NAME'],
  ['api-key', '--help', 'npm run api-key -- <command>', 'rotate KEYID', 'API_KEYS_TABLE'],
  ['seed', '-h', 'npm run seed -- <command> FILE', 'remove', 'SPACES_TABLE'],
  ['bench', '--help', 'npm run bench -- [options]', '--against COMMIT'],
])('npm run %s -- %s shows at once: %s, with %s', async (script, option, command, ...settings) => {
  const PATH = [folder.path, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const args = ['-c', `${packageJson.scripts[script]} ${option}`];
  const { stdout, ...rest } = await execute('sh', args, { env: bareEnvironment({ PATH }), cwd: clone });
  expect(rest).toStrictEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`Usage: ${command}`);
  expect(settings.filter((setting) => !stdout.includes(setting))).toStrictEqual([]);
});
