import { defineConfig } from 'vitest/config';

/** The tests of handlers/ and lib/ alone: what a mutant there must be noticed by. */
export default defineConfig({
  test: {
    include: ['test/{unit,access,input}/**/*.test.ts', 'test/events.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    setupFiles: ['test/support/restore.ts'],
    // The bundle is built from the same mutants.
    testNamePattern: /^(?!.*deployed bundle)/,
    testTimeout: 30_000,
  },
});
