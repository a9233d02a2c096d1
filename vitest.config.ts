import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** A run of some files only cannot cover everything. */
const isWhole = process.argv.slice(2).every((argument) => argument === 'run' || argument.startsWith('-'));
const thresholds = { statements: 100, branches: 100, functions: 100, lines: 100 };
/** For the workers, and for all that the tests start. */
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'node');

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    setupFiles: ['test/support/restore.ts'],
    // A missing snapshot fails too. `-u` writes the snapshots.
    update: 'none',
    // A worker keeps its modules from one file to the next.
    isolate: false,
    // For a machine that is busy with other work: most tests take milliseconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The shell may have the variables of a deployment, from docs/operations.md. These tests must not touch it.
    env: { CONTRACT_URL: '', CONTRACT_DATA: '', API_KEYS_TABLE: '', SPACES_TABLE: '', FILES_TABLE: '' },
    // vitest leaves one core free; many tests wait for a process or a socket.
    maxWorkers: availableParallelism() + 2,
    coverage: {
      include: ['client/*.ts', 'handlers/**', 'lib/**'],
      // It runs only as it is built (test/build/load.test.ts).
      exclude: ['lib/runtime/entry.ts'],
      reporter: ['text'],
      ...(isWhole && { thresholds }),
    },
  },
});
