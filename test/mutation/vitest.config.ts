import { defineConfig } from 'vitest/config';

/** The tests of handlers/, lib/ and client/ alone: what a mutant there must be noticed by. */
export default defineConfig({
  test: {
    include: [
      'test/{unit,access,input}/**/*.test.ts',
      'test/events.test.ts',
      'test/client/{client,abort}.test.ts',
    ],
    globalSetup: ['test/support/engine.ts'],
    setupFiles: ['test/support/restore.ts'],
    // The bundle is built from the same mutants.
    testNamePattern: /^(?!.*deployed bundle)/,
    testTimeout: 30_000,
  },
});
