import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    setupFiles: ['aws-sdk-client-mock-vitest/extend'],
    testTimeout: 30_000,
    coverage: {
      include: ['client/**', 'handlers/**', 'lib/**'],
      // It runs only as it is built (test/build/load.test.ts).
      exclude: ['lib/runtime/entry.ts'],
      reporter: ['text'],
      thresholds: { statements: 100, branches: 100, functions: 100, lines: 100 },
    },
  },
});
