import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run, temporaryFolder } from '#test/support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const { platform, arch } = process;
const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;

test.each<[string, string[], string]>([
  ['linked if npm has installed it only', [name], `rebuild ${name} --ignore-scripts`],
  ['left alone if it is linked', [name, '.bin/node'], ''],
  ['left alone if there is none for this platform', ['.bin'], ''],
])('the packaged Node is %s', (title, installed, expected) => {
  const root = join(folder.path, title);
  for (const path of installed) mkdirSync(join(root, 'node_modules', path), { recursive: true });
  cpSync('tools/link-node.mjs', join(root, 'tools', 'link-node.mjs'));
  const [npm, called] = [join(root, 'npm.cjs'), join(root, 'called')];
  writeFileSync(npm, `require('fs').writeFileSync('${called}', process.argv.slice(2).join(' '))`);
  const env = { ...process.env, npm_execpath: npm };
  expect(spawnSync(process.execPath, [join(root, 'tools', 'link-node.mjs')], { env }).status).toBe(0);
  expect(existsSync(called) ? readFileSync(called, 'utf8') : '').toBe(expected);
});

test.each([
  ['20.20.2', 1],
  ['22.17.9', 1],
  ['22.18.0', 0],
  ['24.0.0', 0],
])('Node %s: exit code %i', async (version, code) => {
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
  const script = `${versions}; import('./tools/node-version.mjs')`;
  const result = await run(['--input-type=module', '--eval', script]);
  expect([result.code, result.stderr.includes(`This is Node ${version}.`)]).toStrictEqual([code, code === 1]);
});
