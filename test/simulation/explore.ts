import { judge } from './judge.ts';
import { type KnownLimit, type Run, type Scenario, simulate } from './simulate.ts';

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
 * Runs every schedule of a scenario. Each run repeats the one before up to its last choice that has a next option, and
 * takes that option.
 *
 * @param stopAtFirst whether the first violation is enough
 * @param limit how many schedules are enough
 */
export const exhaust = async (
  scenario: Scenario,
  operation: Operation,
  { stopAtFirst = false, limit = Number.POSITIVE_INFINITY } = {},
) => {
  const result = {
    schedules: 0,
    violations: 0,
    first: undefined as string | undefined,
    /** How many schedules show each known limit. */
    limits: {} as { [limit in KnownLimit]?: number },
  };
  let choices: readonly number[] | undefined = [];
  while (choices && result.schedules < limit && !(stopAtFirst && result.first)) {
    const run = await replay(scenario, choices, operation);
    result.schedules += 1;
    const { problems, limits } = judge(run, scenario);
    for (const limit of limits) result.limits[limit] = (result.limits[limit] ?? 0) + 1;
    if (problems.length > 0) {
      result.violations += 1;
      const schedule = `${scenario.name}: ${choices.join(' ')}`;
      const repeat = `repeat: SCHEDULE='${schedule}' npx vitest run test/simulation -t SCHEDULE`;
      result.first ??= `${describeViolation(scenario, run, problems)}\n${repeat}`;
    }
    const last = run.choices.findLastIndex(({ index, count }) => index + 1 < count);
    const raised = run.choices.slice(0, last + 1).map(({ index }, at) => (at === last ? index + 1 : index));
    choices = last < 0 ? undefined : raised;
  }
  return result;
};
