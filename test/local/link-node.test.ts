import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from './support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const { platform, arch } = process;
const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;

/** An installation with some of node_modules, and an npm that only writes down what it is asked for. */
const linkNode = (title: string, ...installed: string[]) => {
  const root = join(folder.path, title);
  for (const path of installed) mkdirSync(join(root, 'node_modules', path), { recursive: true });
  cpSync('local/link-node.mjs', join(root, 'local', 'link-node.mjs'));
  const asked = join(root, 'asked.json');
  const npm = join(root, 'npm.cjs');
  const record = `require('node:fs').writeFileSync(${JSON.stringify(asked)}, JSON.stringify(process.argv.slice(2)))`;
  writeFileSync(npm, record);
  const env = { ...process.env, npm_execpath: npm };
  const { status } = spawnSync(process.execPath, [join(root, 'local', 'link-node.mjs')], { env });
  return { status, asked: existsSync(asked) ? JSON.parse(readFileSync(asked, 'utf8')) : undefined };
};

test('the Node that was installed and not linked is linked by npm', () => {
  expect(linkNode('unlinked', name)).toEqual({ status: 0, asked: ['rebuild', name, '--ignore-scripts'] });
});

test.each([
  ['linked already', [name, '.bin/node']],
  ['not brought along for this platform', ['.bin']],
])('a Node that is %s is left alone', (title, installed) => {
  expect(linkNode(title, ...installed)).toEqual({ status: 0, asked: undefined });
});
