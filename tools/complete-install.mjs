// Runs after `npm ci`, also on Node 12, and adds what an old Node or npm leaves out (docs/decisions/005): native code
// that asks for a newer Node than the one that runs npm, and the link of the packaged Node in node_modules/.bin. It also
// says what the settings of the user leave out.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const { platform, arch, env } = process;
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
const packaged = `node_modules/${name}`;

const isForThisMachine = ({ os = [], cpu = [] } = {}) => os.includes(platform) && cpu.includes(arch);

/** Installed packages without their native code. For Linux, there may be one package of it for each C library. */
const incomplete = () =>
  Object.keys(packages).filter((path) => {
    const native = Object.keys(packages[path].optionalDependencies || {})
      .map((dependency) => `node_modules/${dependency}`)
      .filter((dependency) => isForThisMachine(packages[dependency]));
    return existsSync(path) && native.length > 0 && !native.some((dependency) => existsSync(dependency));
  });

/** What `npm ci` installs, unless a setting of the user leaves it out. Nothing here needs what only is a peer. */
const leftOut = () =>
  Object.keys(packages).filter((path) => {
    const { optional, peer } = packages[path];
    return !optional && !peer && !existsSync(path || '.');
  });

/** Runs npm on the packaged Node, which is new enough for all packages. */
const npm = (...options) => {
  const node = `${packaged}/${packages[packaged].bin.node}`;
  const stdio = ['ignore', 'ignore', 'inherit'];
  const { error, status } = spawnSync(node, [env.npm_execpath, ...options, '--ignore-scripts'], { stdio });
  if (error) throw error;
  return status;
};

if (existsSync(packaged)) {
  // npm 11.3 to 11.6 take what they have left out for installed, so that only `ci` adds it.
  for (const command of [['install', '--no-save'], ['ci']]) if (incomplete().length > 0) npm(...command);
  // Both remove the link, and npm 10 does not make one.
  if (!existsSync('node_modules/.bin/node')) process.exitCode = npm('rebuild', name);
}
const missing = incomplete().map((path) => path.replace('node_modules/', ''));
if (missing.length > 0) {
  process.stderr.write(
    `npm has left out the native code of ${missing.join(', ')} (too old a Node, a failed download, or --omit=optional): ` +
      `install Node ${packages[''].engines.node}, and run "npm ci" again.\n`,
  );
  process.exitCode = 1;
}
// This is no failure: `npm ci --omit=dev` installs what is deployed.
if (leftOut().length > 0)
  process.stderr.write(
    'npm has left out packages that the commands of this project need (NODE_ENV=production, or omit=dev): ' +
      'run "npm ci --include=dev".\n',
  );
