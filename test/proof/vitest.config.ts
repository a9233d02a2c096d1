import { defineConfig } from 'vitest/config';

/** The long part of the gate: `npm run proof`; ten times as long: `npm run soak`. */
export default defineConfig({
  test: {
    root: new URL('../../', import.meta.url).pathname,
    include: ['test/proof/**/*.proof.ts'],
    globalSetup: ['test/support/engine.ts', 'test/proof/support/build.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
    // One file at a time: each drives the machine's cores itself.
    fileParallelism: false,
  },
});
