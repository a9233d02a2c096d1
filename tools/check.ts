import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments, runCommand } from './cli.ts';
import { projectRoot } from './project.ts';

const usage = `Usage: npm run check -- [--write]

Checks types, the facts of the code in openapi.yaml and docs/contract.md, unused files, exports and packages, lint and
format, and stops at the first of these that fails.

  --write  correct the facts in openapi.yaml and docs/contract.md, the format, and what else Biome can correct safely
  --help   show this text
`;

const run = (file: string, ...args: string[]) => {
  const { status } = spawnSync(file, args, {
    cwd: projectRoot,
    stdio: 'inherit',
    shell: process.platform === 'win32' && file !== process.execPath,
  });
  if (status !== 0) process.exit(status ?? 1);
};
const program = (name: string) => join('node_modules', '.bin', name);
/** Resolved as a module, because knip looks for a use of each package. */
const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));

await runCommand(usage, async () => {
  const { values } = readArguments({ options: { write: { type: 'boolean' } } });
  const write = values.write ? ['--write'] : [];
  run(program('tsc'), '--noEmit');
  // It runs the code, whose types are now known to be right.
  run(process.execPath, 'tools/facts/put.ts', ...write);
  run(program('knip'), '--files', '--exports', '--include', 'dependencies,unlisted,unresolved');
  run(process.execPath, biome, 'check', ...write);
});
