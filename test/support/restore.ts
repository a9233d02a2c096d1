// Runs before each file of tests. What a test has replaced must not reach the next one, nor the next file: a worker
// runs many of them.
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, vi } from 'vitest';

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

// A worker whose run was killed would live on with all that its test has started.
const exitWithRun = () => process.exit(1);
if (!process.listeners('disconnect').some(({ name }) => name === exitWithRun.name))
  process.once('disconnect', exitWithRun);
