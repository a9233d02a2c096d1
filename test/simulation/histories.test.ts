import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { check } from './check.ts';
import { describeViolation } from './explore.ts';
import { messageFaults, retryableFaults } from './faults.ts';
import * as operation from './operation.ts';
import {
  type Choose,
  type OutsideEvent,
  type ProcessFault,
  type Scenario,
  type SimulatedRequest,
  simulate,
} from './simulate.ts';

/** How many histories are searched, and the seed of them all. */
const numRuns = Number(process.env['HISTORIES'] ?? 300);
const seed = Number(process.env['SEED'] ?? 0);

const request = fc.record({
  process: fc.nat(4),
  patchOf: fc.constantFrom(
    (name: string) => ({ summary: name }),
    (name: string) => ({ documentKind: name }),
    () => ({ summary: null }),
    (name: string) => ({ summary: name, documentKind: null }),
  ),
  precondition: fc.constantFrom({}, {}, { ifMatch: 'initial' } as const, { ifMatch: 'newest' } as const),
  isKeyed: fc.boolean(),
  /** Which earlier request it repeats, if that has an idempotency key. */
  repeated: fc.option(fc.nat(7)),
});
const requests = fc.array(request, { minLength: 3, maxLength: 8, size: 'max' }).map((list) => {
  const made: SimulatedRequest[] = [];
  for (const [index, { process, patchOf, precondition, isKeyed, repeated }] of list.entries()) {
    const name = String.fromCharCode(65 + index);
    const earlier = repeated === null ? undefined : made[repeated % index];
    const key = isKeyed && { idempotencyKey: `key of ${name}` };
    if (earlier?.idempotencyKey) made.push({ ...earlier, name, process, repeats: earlier.name });
    else made.push({ name, process, patch: patchOf(name), ...precondition, ...key });
  }
  return made;
});

/** 3 to 8 requests in up to 5 processes, and 5 to 8 faults of any kind. */
const scenarioWith = (events: readonly OutsideEvent[]): fc.Arbitrary<Scenario> => {
  // A file is created again with the current time as its version: a clock that is ahead is one of the known limits, and
  // so is a message that is delivered twice, before and after the file is deleted.
  const isRecreated = events.includes('create file');
  const clocks = isRecreated ? [0, -5, -60_000] : [0, 0, 1, -5, 60_000, -60_000];
  const jumps: readonly ProcessFault[] = isRecreated ? [] : ['clock jumps ahead', 'clock jumps back'];
  return fc.record({
    name: fc.constant('a history'),
    requests,
    clocksAheadMs: fc.array(fc.constantFrom(...clocks), { minLength: 5, maxLength: 5 }),
    events: fc.constant(events),
    faultLimit: fc.integer({ min: 5, max: 8 }),
    // Mostly without those that end their request with 500: otherwise too little else would happen.
    faults: fc
      .constantFrom(messageFaults, retryableFaults, retryableFaults)
      .map((faults) => faults.filter((fault) => !isRecreated || fault !== 'duplicate')),
    processFaults: fc.constant(['freeze', ...jumps] as const),
    history: fc.boolean(),
    reads: fc.constantFrom(false, false, false, false, true),
    randomNumbers: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
    maxCharacters: fc.constantFrom(11, 1000, 1000, 1000, 1000),
  });
};
const scenarios = fc
  .constantFrom<readonly OutsideEvent[]>(
    [],
    [],
    ['seven other writes'],
    ['revoke key'],
    ['make space private', 'make space public'],
    ['make space private', 'make user the owner'],
    ['delete file', 'create file'],
  )
  .chain(scenarioWith);

/**
 * For each choice a number: about one in `faultEvery` chooses a fault if one is possible. After the last number, the
 * first option.
 */
const chooseBy = (numbers: readonly number[], faultEvery: number): Choose => {
  const left = [...numbers];
  return (options) => {
    const number = left.shift() ?? 0;
    const normalCount = options.filter(({ isFault }) => !isFault).length;
    const isFaulty = normalCount === 0 || (normalCount < options.length && number % faultEvery === 1);
    const place = Math.floor(number / faultEvery);
    return isFaulty ? normalCount + (place % (options.length - normalCount)) : place % normalCount;
  };
};
const numbers = fc.array(fc.nat(), { maxLength: 200, size: 'max' });
const histories = fc.noBias(fc.tuple(scenarios, numbers));

beforeAll(() => {
  // Thousands of simulated errors: their stacks are never read.
  Error.stackTraceLimit = 0;
});

test('the rule is kept by histories with at least five faults', { timeout: 10_000_000 }, async () => {
  const property = fc.asyncProperty(histories, async ([scenario, choices]) => {
    const run = await simulate(scenario, chooseBy(choices, 2), operation);
    const problems = check(run, scenario);
    if (problems.length > 0) expect.fail(describeViolation(scenario, run, problems));
    fc.pre(run.faultCount >= 5);
  });
  await fc.assert(property, { numRuns, seed });
});

test('each of eight writers of one file succeeds, with a fault in 5 % of the steps', async () => {
  const names = [...'ABCDEFGH'];
  const scenario: Scenario = {
    name: 'eight writers',
    requests: names.map((name, process) => ({ name, process, patch: { summary: name } })),
    history: true,
    faultLimit: Number.POSITIVE_INFINITY,
    faults: retryableFaults,
    allSucceed: true,
  };
  const property = fc.asyncProperty(fc.noBias(numbers), async (choices) => {
    const run = await simulate(scenario, chooseBy(choices, 20), operation);
    const problems = check(run, scenario);
    if (problems.length > 0) expect.fail(describeViolation(scenario, run, problems));
  });
  await fc.assert(property, { numRuns: 300, seed });
});
