import { parentPort, workerData } from 'node:worker_threads';
import { check } from './check.ts';
import { exhaust, runSeed, scenarioOf, type Violation } from './explore.ts';
import * as operation from './operation.ts';
import { describeViolation } from './report.ts';
import type { Scenario } from './simulate.ts';

/** What one worker searches: all schedules of a scenario, or the histories of some seeds. */
export type Job =
  | { readonly kind: 'schedules'; readonly scenario: Scenario }
  | { readonly kind: 'histories'; readonly firstSeed: number; readonly count: number };
/** `count`: schedules, or histories with at least five faults. */
export type JobResult = {
  readonly count: number;
  readonly violations: number;
  readonly first: string | undefined;
};

const MIN_FAULTS = 5;

const searchHistories = async (firstSeed: number, wanted: number) => {
  const result = { count: 0, violations: 0, first: undefined as Violation | undefined };
  for (let seed = firstSeed; result.count < wanted; seed += 1) {
    const { run, choices } = await runSeed(seed, operation);
    if (run.faultCount < MIN_FAULTS) continue;
    result.count += 1;
    const scenario = scenarioOf(seed);
    const problems = check(run, scenario);
    if (problems.length === 0) continue;
    result.violations += 1;
    result.first ??= { scenario, choices, problems, run };
  }
  return result;
};

const search = async (job: Job): Promise<JobResult> => {
  // Thousands of simulated errors: their stacks are never read.
  Error.stackTraceLimit = 0;
  const found =
    job.kind === 'schedules'
      ? await exhaust(job.scenario, operation)
      : await searchHistories(job.firstSeed, job.count);
  const first = found.first && (await describeViolation(found.first, operation));
  return { count: 'schedules' in found ? found.schedules : found.count, violations: found.violations, first };
};

parentPort?.postMessage(await search(workerData));
