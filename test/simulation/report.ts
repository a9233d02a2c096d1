import { check } from './check.ts';
import type { Violation } from './explore.ts';
import { type Choose, isFault, type Scenario, simulate } from './simulate.ts';

type Operation = typeof import('./operation.ts');

/** Follows a schedule by its lines as far as they are possible, and then always takes the first option. */
const follow = (steps: readonly string[]): Choose => {
  let at = 0;
  return ({ count, labelOf }) => {
    const labels = Array.from({ length: count }, (_, index) => labelOf(index));
    while (at < steps.length) {
      const index = labels.indexOf(steps[at] ?? '');
      at += 1;
      if (index >= 0) return index;
    }
    return 0;
  };
};

/** Leaves out requests, faults and events one by one, as long as the run still breaks the rule. */
const shorten = async ({ scenario, run }: Violation, operation: Operation) => {
  let best = { scenario, steps: run.steps };
  const without = (step: string): { scenario: Scenario; steps: readonly string[] } => ({
    scenario: {
      ...best.scenario,
      requests: best.scenario.requests.filter(({ name }) => step !== `start ${name}`),
      events: (best.scenario.events ?? []).filter((event) => step !== event),
    },
    steps: best.steps.filter((other) => other !== step),
  });
  for (let shorter = true; shorter; ) {
    shorter = false;
    for (const step of best.steps) {
      const { events = [], requests } = best.scenario;
      const isRequest = requests.some(({ name }) => step === `start ${name}`);
      const isEvent = events.some((event) => event === step);
      if (!isFault(step) && !isEvent && !(isRequest && requests.length > 1)) continue;
      const candidate = without(step);
      const shortened = await simulate(candidate.scenario, follow(candidate.steps), operation);
      if (check(shortened, candidate.scenario).length === 0) continue;
      best = { scenario: candidate.scenario, steps: shortened.steps };
      shorter = true;
      break;
    }
  }
  return best.steps;
};

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** A violation for people: what it breaks, its schedule, a shorter one, and the command that repeats it. */
export const describeViolation = async (violation: Violation, operation: Operation): Promise<string> => {
  const { scenario, problems, run, choices } = violation;
  return [
    `${scenario.name}: ${problems.join('; ')}`,
    'schedule:',
    ...indent(run.steps),
    'shortened:',
    ...indent(await shorten(violation, operation)),
    'responses:',
    ...indent(run.observed.map((seen) => JSON.stringify(seen))),
    `repeat: SCHEDULE='${scenario.name}: ${choices.join()}' npx vitest run test/simulation -t replay`,
  ].join('\n');
};
