// After each `npm ci`: npm 10 installs the Node that comes along (docs/decisions/005) and leaves it unlinked, where no
// script and no npx would find it. Its own `npm rebuild` mends that. Runs on any old Node.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const { platform, arch, execPath, env } = process;
const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
const packages = new URL('../node_modules/', import.meta.url);
const isInstalled = existsSync(new URL(name, packages));
const isLinked = existsSync(new URL('.bin/node', packages));

if (isInstalled && !isLinked && env.npm_execpath !== undefined) {
  const { status } = spawnSync(execPath, [env.npm_execpath, 'rebuild', name, '--ignore-scripts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.exitCode = status ?? 1;
}
