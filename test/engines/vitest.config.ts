import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import common from '../../vitest.config.ts';

const root = join(import.meta.dirname, '..', '..');
const usesEngine = (file: string) =>
  /inject\('endpoint'\)|openTables/.test(readFileSync(join(root, file), 'utf8'));

/**
 * The tests of `npm test` that use a DynamoDB engine, on another one: DynamoDB Local, or with ENGINE=moto on moto
 * (`pip install 'moto[server]==5.2.5'`).
 */
export default defineConfig({
  test: {
    ...common.test,
    root,
    include: globSync('test/**/*.test.ts', { cwd: root }).filter(usesEngine),
    globalSetup: ['test/engines/engine.ts'],
    // They start slowly: with more, a call may take longer than the function waits.
    maxWorkers: 2,
    // moto has no limit of 400 KB. Of conditional updates that arrive together, it sometimes applies two: the stream shows it.
    ...(process.env['ENGINE'] === 'moto' && { testNamePattern: /^(?!.*(file-too-large|whatever is lost))/ }),
  },
});
