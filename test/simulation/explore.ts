import { type ChooseIndex, exhaust, sample } from '#test/support/exhaust.ts';
import { judge } from './judge.ts';
import type { KnownLimit, Run, Scenario } from './model.ts';
import { simulate } from './simulate.ts';

type Operation = typeof import('./operation.ts');

/** A run that breaks the rule, for people: what it breaks, and its schedule. */
export const describeViolation = (
  scenario: Scenario,
  { steps, observed }: Run,
  problems: readonly string[],
): string =>
  [
    `${scenario.name}: ${problems.join('; ')}`,
    'schedule:',
    ...steps.map((step) => `  ${step}`),
    'responses:',
    ...observed.map((seen) => `  ${JSON.stringify(seen)}`),
  ].join('\n');

/** A run of these choices, and then always of the first option. */
export const replay = (
  scenario: Scenario,
  choices: readonly number[],
  operation: Operation,
): Promise<Run> => {
  const left = [...choices];
  return simulate(scenario, () => left.shift() ?? 0, operation);
};

/**
 * Runs schedules of a scenario, and judges each one.
 *
 * @param drawn how many schedules a seed draws; without it, every schedule runs
 * @param stopAtFirst whether the first violation is enough
 */
export const search = async (
  scenario: Scenario,
  operation: Operation,
  {
    drawn,
    stopAtFirst = false,
  }: { drawn?: { count: number; seed: number } | undefined; stopAtFirst?: boolean } = {},
) => {
  const result = {
    schedules: 0,
    violations: 0,
    first: undefined as string | undefined,
    /** How many schedules show each known limit. */
    limits: {} as { [limit in KnownLimit]?: number },
  };
  const run = (choose: ChooseIndex) => simulate(scenario, ({ length }) => choose(length), operation);
  for await (const { result: made, choices } of drawn ? sample(run, drawn) : exhaust(run)) {
    result.schedules += 1;
    const { problems, limits } = judge(made, scenario);
    for (const limit of limits) result.limits[limit] = (result.limits[limit] ?? 0) + 1;
    if (problems.length > 0) {
      result.violations += 1;
      const schedule = `${scenario.name}: ${choices.join(' ')}`;
      const repeat = `repeat: SCHEDULE='${schedule}' npx vitest run test/simulation -t SCHEDULE`;
      result.first ??= `${describeViolation(scenario, made, problems)}\n${repeat}`;
      if (stopAtFirst) break;
    }
  }
  return result;
};
