import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '#tools/project.ts';

const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');

/**
 * Runs the tests of a vitest configuration to their end and takes over their exit code. Ctrl-C, and being told to
 * end, is for the tests: whoever called this can tidy up after them.
 *
 * @param more environment variables for them
 */
export const runVitest = async (
  config: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const tests = spawn(process.execPath, [vitest, 'run', '--config', config], {
    stdio: 'inherit',
    env: { ...process.env, ...more },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
  const [code] = await once(tests, 'close');
  process.exitCode = code ?? 1;
};
