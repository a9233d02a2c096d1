import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { check } from './check.ts';
import { describeViolation } from './explore.ts';
import { messageFaults, retryableFaults } from './faults.ts';
import * as operation from './operation.ts';
import { type Choose, type OutsideEvent, type ProcessFault, type Scenario, simulate } from './simulate.ts';

/** How many histories are searched, and the seed of them all. */
const numRuns = Number(process.env['HISTORIES'] ?? 1_000);
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
});
const requests = fc.array(request, { minLength: 3, maxLength: 8, size: 'max' }).map((list) =>
  list.map(({ process, patchOf, precondition }, index) => {
    const name = String.fromCharCode(65 + index);
    return { name, process, patch: patchOf(name), ...precondition };
  }),
);

/** 3 to 8 requests in up to 5 processes, and 5 to 8 faults of any kind. */
const scenarioWith = (events: readonly OutsideEvent[]): fc.Arbitrary<Scenario> => {
  // A file is created again with the current time as its version: a clock that is ahead is one of the known limits.
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
    faults: fc.constantFrom(messageFaults, retryableFaults, retryableFaults),
    processFaults: fc.constant(['freeze', ...jumps] as const),
    reads: fc.constantFrom(false, false, false, false, true),
    randomNumbers: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
    maxCharacters: fc.constantFrom(11, 1000, 1000, 1000, 1000),
  });
};
const scenarios = fc
  .constantFrom<readonly OutsideEvent[]>(
    [],
    [],
    ['revoke key'],
    ['make space private', 'make space public'],
    ['make space private', 'make user the owner'],
    ['delete file', 'create file'],
  )
  .chain(scenarioWith);

/** For each choice a number: an odd one chooses a fault if one is possible. After the last number, the first option. */
const chooseBy = (numbers: readonly number[]): Choose => {
  const left = [...numbers];
  return (options) => {
    const number = left.shift() ?? 0;
    const normalCount = options.filter(({ isFault }) => !isFault).length;
    const isFaulty = normalCount === 0 || (normalCount < options.length && number % 2 === 1);
    const place = Math.floor(number / 2);
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
    const run = await simulate(scenario, chooseBy(choices), operation);
    const problems = check(run, scenario);
    if (problems.length > 0) expect.fail(describeViolation(scenario, run, problems));
    fc.pre(run.faultCount >= 5);
  });
  await fc.assert(property, { numRuns, seed });
});
