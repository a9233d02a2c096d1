import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The zip that is deployed, under AWS's own runtime client: `npm run test:lambda`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['test/lambda/**/*.lambda.ts'],
    globalSetup: ['test/support/engine.ts', 'test/lambda/setup.ts'],
    setupFiles: ['test/support/end-with-run.ts'],
    testTimeout: 30_000,
  },
});
