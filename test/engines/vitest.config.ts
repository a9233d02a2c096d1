import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import common from '../../vitest.config.ts';

const root = new URL('../../', import.meta.url).pathname;
const usesEngine = (file: string) =>
  /inject\('endpoint'\)|openTables|startRunningService/.test(readFileSync(`${root}test/${file}`, 'utf8'));

/** The tests of `npm test` that talk to the engine: `npm run test:engines`. */
export default defineConfig({
  test: {
    ...common.test,
    root,
    include: readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && usesEngine(file))
      .map((file) => `test/${file}`),
  },
});
