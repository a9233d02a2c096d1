import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { check } from './check.ts';
import { replay, runSeed } from './explore.ts';
import * as operation from './operation.ts';
import { notCovered, scenarios } from './scenarios.ts';
import type { Job, JobResult } from './worker.ts';

/** How many histories are searched, and from which seed on. */
const histories = Number(process.env['HISTORIES'] ?? 2_000);
const firstSeed = Number(process.env['SEED'] ?? 0);

const cores = availableParallelism();
const workers = Array.from({ length: cores }, () => new Worker(new URL('worker.ts', import.meta.url)));
const idle = [...workers];
const waiting: ((worker: Worker) => void)[] = [];

/** Runs a job on the next idle worker. */
const runJob = async (job: Job): Promise<JobResult> => {
  const worker = idle.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)));
  worker.postMessage(job);
  const [result] = await once(worker, 'message');
  const next = waiting.shift();
  if (next) next(worker);
  else idle.push(worker);
  return result;
};

const searched: string[] = [];

afterAll(async () => {
  process.stdout.write(`${searched.join('\n')}\n`);
  await Promise.all(workers.map((worker) => worker.terminate()));
});

describe('the rule is kept by', { concurrent: true, timeout: 1_200_000 }, () => {
  test.each(scenarios)('every schedule of $name', async (scenario) => {
    const { schedules, violations, first } = await runJob({ kind: 'schedules', scenario });
    searched.push(`${scenario.name}: ${schedules} schedules`);
    expect(first).toBeUndefined();
    expect({ violations, isSearched: schedules > 1 }).toEqual({ violations: 0, isSearched: true });
  });

  const count = Math.ceil(histories / cores);
  test.each(Array.from({ length: cores }, (_, part) => firstSeed + 10 * part * count))(
    'histories with at least five faults, from seed %i',
    async (seed) => {
      const { schedules, violations, first } = await runJob({ kind: 'histories', firstSeed: seed, count });
      searched.push(`from seed ${seed}: ${schedules} histories`);
      expect(first).toBeUndefined();
      expect({ violations, schedules }).toEqual({ violations: 0, schedules: count });
    },
  );
});

test.each(notCovered)('not covered: $name', async ({ expected, ...scenario }) => {
  const { schedules, violations } = await runJob({ kind: 'schedules', scenario });
  expect({ schedules, violations }).toEqual(expected);
});

/** SCHEDULE is a scenario or seed and its choices, as a violation prints it. */
const [name = '', choices = ''] = process.env['SCHEDULE']?.split(': ') ?? [];
test.runIf(name)('replay', async () => {
  const seed = /^seed (\d+)$/.exec(name)?.[1];
  const scenario = [...scenarios, ...notCovered].find((other) => other.name === name);
  if (seed === undefined && !scenario) throw new Error(`there is no scenario "${name}"`);
  const run = scenario
    ? await replay(scenario, choices.split(',').map(Number), operation)
    : (await runSeed(Number(seed), operation)).run;
  process.stdout.write(`${[...run.steps, ...run.observed.map((seen) => JSON.stringify(seen))].join('\n')}\n`);
  expect(scenario ? check(run, scenario) : []).toEqual([]);
});
