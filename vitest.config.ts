import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    setupFiles: ['aws-sdk-client-mock-vitest/extend'],
    testTimeout: 30_000,
    coverage: {
      include: ['client/**', 'handlers/**', 'lib/**'],
      // Types only, nothing in them runs; and what runs only as it is built, in test/build/entry.test.ts.
      exclude: ['lib/store/deps.ts', 'lib/entry/main.ts'],
      reporter: ['text'],
      thresholds: { statements: 100, branches: 100, functions: 100, lines: 100 },
    },
  },
});
