import { check } from './check.ts';
import { finalFaults, messageFaults } from './faults.ts';
import {
  type Choose,
  type OutsideEvent,
  type ProcessFault,
  type Run,
  type Scenario,
  type SimulatedRequest,
  simulate,
} from './simulate.ts';

type Operation = typeof import('./operation.ts');

/** A run that breaks the rule, with the choices that repeat it. */
export type Violation = {
  readonly scenario: Scenario;
  readonly choices: readonly number[];
  readonly problems: readonly string[];
  readonly run: Run;
};

export type Result = {
  readonly schedules: number;
  readonly violations: number;
  readonly first: Violation | undefined;
};

/** Lets timers of the test runner run now and then: a simulation itself never waits for real time. */
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Checks runs and counts them. */
const createTally = () => {
  const result = { schedules: 0, violations: 0, first: undefined as Violation | undefined };
  const add = async (scenario: Scenario, run: Run, choices: readonly number[]) => {
    result.schedules += 1;
    const problems = check(run, scenario);
    if (problems.length > 0) {
      result.violations += 1;
      result.first ??= { scenario, choices, problems, run };
    }
    if (result.schedules % 500 === 0) await pause();
  };
  return { result, add };
};

/** Repeats a run: the first choices as given, then always the first option. */
export const replay = (
  scenario: Scenario,
  choices: readonly number[],
  operation: Operation,
): Promise<Run> => {
  let at = 0;
  return simulate(scenario, () => choices[at++] ?? 0, operation);
};

/**
 * Runs every schedule of a scenario: repeats the run from its start with the last choice raised that can be raised.
 *
 * @param stopAtFirst whether the first violation is enough
 */
export const exhaust = async (
  scenario: Scenario,
  operation: Operation,
  { stopAtFirst = false } = {},
): Promise<Result> => {
  const { result, add } = createTally();
  let choices: number[] | undefined = [];
  while (choices) {
    const taken: { readonly index: number; readonly count: number }[] = [];
    const planned: readonly number[] = choices;
    const choose: Choose = ({ count }) => {
      const index = planned[taken.length] ?? 0;
      taken.push({ index, count });
      return index;
    };
    const run = await simulate(scenario, choose, operation);
    const indexes = taken.map(({ index }) => index);
    await add(scenario, run, indexes);
    if (stopAtFirst && result.first) break;
    const last = taken.findLastIndex(({ index, count }) => index + 1 < count);
    choices =
      last < 0 ? undefined : indexes.slice(0, last + 1).map((index, at) => (at === last ? index + 1 : index));
  }
  return result;
};

/** Numbers from 0 up to 1, always the same for a seed (mulberry32). */
export const createRandom = (seed: number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The scenario of a seed: 3 to 8 requests in 2 to 5 processes, and 5 to 8 faults of any kind. */
export const scenarioOf = (seed: number): Scenario => {
  const random = createRandom(-seed - 1);
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <Member>(members: readonly Member[]) => members[below(members.length)];
  const processCount = 2 + below(4);
  const requests = Array.from({ length: 3 + below(6) }, (_, index): SimulatedRequest => {
    const name = String.fromCharCode(65 + index);
    const patch = oneOf([
      { summary: name },
      { documentKind: name },
      { summary: null },
      { summary: name, documentKind: null },
    ]);
    const ifMatch = oneOf([undefined, undefined, 'initial', 'newest'] as const);
    return { name, process: below(processCount), patch: patch ?? {}, ...(ifMatch && { ifMatch }) };
  });
  const events =
    oneOf<readonly OutsideEvent[]>([
      [],
      [],
      ['revoke key'],
      ['make space private', 'make space public'],
      ['make space private', 'make user the owner'],
      ['delete file', 'create file'],
    ]) ?? [];
  // A file is created again with the current time as its version: a clock that is ahead is one of the known limits.
  const isRecreated = events.includes('create file');
  const clocks = isRecreated ? [0, -5, -60_000] : [0, 0, 1, -5, 60_000, -60_000];
  const jumps: readonly ProcessFault[] = isRecreated ? [] : ['clock jumps ahead', 'clock jumps back'];
  return {
    name: `seed ${seed}`,
    requests,
    clocksAheadMs: Array.from({ length: processCount }, () => oneOf(clocks) ?? 0),
    events,
    faultLimit: 5 + below(4),
    faults: random() < 0.3 ? messageFaults : usualFaults,
    processFaults: ['freeze', ...jumps],
    reads: random() < 0.2,
    ...(random() < 0.2 && { maxCharacters: 11 }),
  };
};
/** Without those that end their request with 500: otherwise too little else would happen. */
const usualFaults = messageFaults.filter((fault) => !finalFaults.includes(fault));

/** One history from a seed: where faults are possible, one at every second step until their number is reached. */
export const runSeed = async (seed: number, operation: Operation) => {
  const random = createRandom(seed);
  const choices: number[] = [];
  const choose: Choose = ({ count, normalCount }) => {
    const isFaulty = normalCount === 0 || (normalCount < count && random() < 0.5);
    const [from, to] = isFaulty ? [normalCount, count] : [0, normalCount];
    const index = from + Math.floor(random() * (to - from));
    choices.push(index);
    return index;
  };
  return { run: await simulate(scenarioOf(seed), choose, operation, createRandom(seed + 1)), choices };
};

/** Histories from seeds; those with fewer faults than asked for are not counted. */
export const searchSeeds = async (
  { firstSeed, count, minFaults }: { firstSeed: number; count: number; minFaults: number },
  operation: Operation,
): Promise<Result> => {
  const { result, add } = createTally();
  for (let seed = firstSeed; result.schedules < count; seed += 1) {
    const { run, choices } = await runSeed(seed, operation);
    if (run.faultCount >= minFaults) await add(scenarioOf(seed), run, choices);
  }
  return result;
};
