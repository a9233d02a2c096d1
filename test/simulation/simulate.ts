import { setImmediate } from 'node:timers/promises';
import { endIfUnknown } from '#test/support/unknown.ts';
import type { Choose, Option, Run, Scenario } from './model.ts';
import { createNetwork } from './network.ts';
import { type Process, startProcesses } from './processes.ts';
import { openRecords } from './records.ts';
import { createTime } from './time.ts';

/** A run that takes more steps than this does not end. */
const MAX_STEPS = 2_000;

/**
 * Continues when the code under simulation waits for the next step. That code uses promises and no real timers. Node
 * runs a callback of `process.nextTick` after all promises that are ready, if a promise has asked for it.
 */
const settled = async () => {
  await undefined;
  await new Promise<void>((resolve) => process.nextTick(resolve));
};

let runs = 0;

/**
 * Runs the real operation on simulated time, network and tables. All that can happen next is listed at each step, one
 * of it is chosen and happens. The same choices always give the same run.
 */
export const simulate = async (
  scenario: Scenario,
  choose: Choose,
  operation: typeof import('./operation.ts'),
): Promise<Run> => {
  runs += 1;
  // Lets timers of the test runner run now and then: a simulation itself never waits for real time.
  if (runs % 500 === 0) await setImmediate();

  const time = createTime<Process>(scenario.stepMs ?? 1);
  const records = openRecords(scenario, time.moment);
  const network = createNetwork<Process>(records);
  const processes = startProcesses(scenario, operation, time, network);

  let faultCount = 0;
  const faultOptions = (): Option[] => {
    if (faultCount >= scenario.faultLimit) return [];
    return [...network.faults(scenario.faults), ...processes.faults()].map(({ label, run }) => ({
      label: `FAULT ${label}`,
      isFault: true,
      run: () => {
        faultCount += 1;
        run();
      },
    }));
  };

  const steps: string[] = [];
  const choices: { index: number; count: number }[] = [];
  while (steps.length < MAX_STEPS) {
    const options = [
      ...network.options(),
      ...processes.options(),
      ...records.options(),
      // A message on its way arrives before a timer of its sender fires.
      ...time.options(network.isAwaited),
      ...faultOptions(),
    ];
    if (options.length === 0) break;
    const index = options.length === 1 ? 0 : choose(options);
    if (options.length > 1) choices.push({ index, count: options.length });
    const option = options[index];
    if (!option) throw new Error('the chosen option does not exist');
    time.nextStep();
    steps.push(option.label);
    option.run();
    await settled();
    endIfUnknown();
  }

  const { snapshots, access } = records;
  return { observed: processes.observed, snapshots, access, faultCount, steps, choices };
};
