import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from './cli.ts';
import { projectRoot } from './project.ts';

const usage = `Usage: npm run check -- [--write]

Checks types, unused files and exports, lint and format, and stops at the first of these that fails.

  --write  correct the format, and what else Biome can correct safely
  --help   show this text
`;

await runCommand(usage, async () => {
  const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
  const programs = [
    ['tsc', '--noEmit'],
    ['knip', '--files', '--exports'],
    ['biome', 'check', ...(values.write ? ['--write'] : [])],
  ];
  for (const [program = '', ...args] of programs) {
    const file = join('node_modules', '.bin', program);
    const { status } = spawnSync(file, args, {
      cwd: projectRoot,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (status !== 0) process.exit(status ?? 1);
  }
});
