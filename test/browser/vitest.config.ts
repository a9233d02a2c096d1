import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The page of /docs in Chromium: `npm ci --prefix test/browser && npx vitest run --config test/browser/vitest.config.ts`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['test/browser/**/*.browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
