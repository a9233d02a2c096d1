// Runs before each file of tests. What a test has replaced must not reach the next one, nor the next file: a worker
// runs many of them.
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { endIfUnknown } from './unknown.ts';

afterEach(endIfUnknown);
// A package warns of what it will not take for ever. In a green run, nobody would look for the test that does it.
let warnings: unknown[] = [];
beforeEach(() => {
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((...values) => void warnings.push(values));
});
afterEach(() => expect(warnings).toEqual([]));
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

/** One mistake can fail hundreds of cases. So many of a group show it: of a `describe`, or of a file without one. */
const MAX_FAILED = 5;
const failedOf = new WeakMap<object, number>();
beforeEach(({ task, skip, onTestFailed }) => {
  const group = task.suite ?? task.file;
  const failed = failedOf.get(group) ?? 0;
  skip(failed >= MAX_FAILED, `${failed} tests of this group have failed`);
  onTestFailed(() => void failedOf.set(group, failed + 1));
});

// A worker whose run was killed would live on with all that its test has started.
const exitWithRun = () => process.exit(1);
if (!process.listeners('disconnect').some(({ name }) => name === exitWithRun.name))
  process.once('disconnect', exitWithRun);
