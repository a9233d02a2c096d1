import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { check } from './check.ts';
import { replay, runSeed } from './explore.ts';
import * as operation from './operation.ts';
import { notCovered, scenarios } from './scenarios.ts';
import type { Job, JobResult } from './worker.ts';

/** How many histories from seeds are searched: `HISTORIES=1000000 npx vitest run test/simulation` for more. */
const histories = Number(process.env['HISTORIES'] ?? 10_000);
const firstSeed = Number(process.env['SEED'] ?? 0);
const searched: string[] = [];

const runJob = (job: Job) =>
  new Promise<JobResult>((resolve, reject) => {
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: job });
    worker.once('message', resolve).once('error', reject);
  });

const byName = (table: object) => Object.entries(table).map(([name, scenario]) => ({ name, ...scenario }));

afterAll(() => {
  process.stdout.write(`${searched.join('\n')}\n`);
});

describe('every schedule keeps the rule', { concurrent: true, timeout: 600_000 }, () => {
  test.each(byName(scenarios))('$name', async (scenario) => {
    const { count, violations, first } = await runJob({ kind: 'schedules', scenario });
    searched.push(`${scenario.name}: ${count} schedules`);
    expect(first).toBeUndefined();
    expect({ violations, isSearched: count > 1 }).toEqual({ violations: 0, isSearched: true });
  });

  const share = Math.ceil(histories / availableParallelism());
  test.each(Array.from({ length: availableParallelism() }, (_, index) => index))(
    'histories with at least five faults, part %i',
    async (index) => {
      const seeds = { firstSeed: firstSeed + index * 10 * share, count: share };
      const { count, violations, first } = await runJob({ kind: 'histories', ...seeds });
      searched.push(`seeds from ${seeds.firstSeed}: ${count} histories`);
      expect(first).toBeUndefined();
      expect({ violations, count }).toEqual({ violations: 0, count: share });
    },
  );
});

test.each(byName(notCovered))('not covered: $name', async ({ expected, ...scenario }) => {
  const { count, violations } = await runJob({ kind: 'schedules', scenario });
  expect({ schedules: count, violations }).toEqual(expected);
});

/** SCHEDULE is a scenario or seed and its choices, as a violation prints it. */
const [name = '', choices = ''] = process.env['SCHEDULE']?.split(': ') ?? [];
test.runIf(name)('replay', async () => {
  const seed = /^seed (\d+)$/.exec(name)?.[1];
  const scenario = byName({ ...scenarios, ...notCovered }).find((other) => other.name === name);
  if (seed === undefined && !scenario) throw new Error(`there is no scenario "${name}"`);
  const run = scenario
    ? await replay(scenario, choices.split(',').map(Number), operation)
    : (await runSeed(Number(seed), operation)).run;
  process.stdout.write(`${[...run.steps, ...run.observed.map((seen) => JSON.stringify(seen))].join('\n')}\n`);
  expect(scenario ? check(run, scenario) : []).toEqual([]);
});
