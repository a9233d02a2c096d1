// Runs before each file of tests. A worker runs many files: what one of them has replaced must not reach the next.
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, vi } from 'vitest';
import './end-with-run.ts';

const { stackTraceLimit } = Error;
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  syncBuiltinESMExports();
});
