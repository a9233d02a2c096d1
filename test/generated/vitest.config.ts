import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Clients that other tools generate from openapi.yaml, and Schemathesis: `npm run test:generated`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['test/generated/**/*.generated.ts'],
    // The first run downloads the tools.
    testTimeout: 900_000,
    hookTimeout: 120_000,
    // It prints each test, and why one was skipped.
    reporters: ['verbose'],
  },
});
