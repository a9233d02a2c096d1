// Runs after `npm ci`, on any Node. npm 10 installs the packaged Node (docs/decisions/005) but does not link it into
// node_modules/.bin, where npm scripts look for it. `npm rebuild` links it.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const { platform, arch, execPath, env } = process;
const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
const installed = (path) => existsSync(new URL(`../node_modules/${path}`, import.meta.url));

if (installed(name) && !installed('.bin/node') && env.npm_execpath !== undefined) {
  const npm = [env.npm_execpath, 'rebuild', name, '--ignore-scripts'];
  process.exitCode = spawnSync(execPath, npm, { stdio: ['ignore', 'ignore', 'inherit'] }).status ?? 1;
}
