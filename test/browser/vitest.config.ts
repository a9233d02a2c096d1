import { defineConfig } from 'vitest/config';

/** The page of /docs in a real browser: `npm run test:browser`. */
export default defineConfig({
  test: {
    root: new URL('../../', import.meta.url).pathname,
    include: ['test/browser/**/*.browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // A browser is enough for the machine's cores.
    fileParallelism: false,
  },
});
