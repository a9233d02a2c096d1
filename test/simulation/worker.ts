import { parentPort } from 'node:worker_threads';
import { exhaust, searchSeeds } from './explore.ts';
import * as operation from './operation.ts';
import { describeViolation } from './report.ts';
import type { Scenario } from './simulate.ts';

/** What one worker searches: all schedules of a scenario, or the histories of some seeds. */
export type Job =
  | { readonly kind: 'schedules'; readonly scenario: Scenario }
  | { readonly kind: 'histories'; readonly firstSeed: number; readonly count: number };
export type JobResult = {
  readonly schedules: number;
  readonly violations: number;
  readonly first: string | undefined;
};

const search = async (job: Job): Promise<JobResult> => {
  // Thousands of simulated errors: their stacks are never read.
  Error.stackTraceLimit = 0;
  const { schedules, violations, first } =
    job.kind === 'schedules'
      ? await exhaust(job.scenario, operation)
      : await searchSeeds({ ...job, minFaults: 5 }, operation);
  return { schedules, violations, first: first && (await describeViolation(first, operation)) };
};

parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await search(job)));
