// Runs before each file of tests. What a test has replaced must not reach the next one, nor the next file: a worker
// runs many of them.
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  syncBuiltinESMExports();
});
const { stackTraceLimit } = Error;
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

/** One fault can fail each case of a file. So many show it, and the other tests of the file are skipped. */
const MAX_FAILED = Number(process.env['MAX_FAILED'] ?? 5);
const failedIn = new Map<string, number>();
beforeEach(({ task, skip, onTestFailed }) => {
  const { filepath } = task.file;
  const failed = failedIn.get(filepath) ?? 0;
  skip(failed >= MAX_FAILED, `${failed} tests of this file have failed; MAX_FAILED=1000 runs all`);
  onTestFailed(() => void failedIn.set(filepath, failed + 1));
});

// A worker whose run was killed would live on with all that its test has started.
const exitWithRun = () => process.exit(1);
if (!process.listeners('disconnect').some(({ name }) => name === exitWithRun.name))
  process.once('disconnect', exitWithRun);
