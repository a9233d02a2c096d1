import { beforeAll, describe, expect, test } from 'vitest';
import { exhaust } from './explore.ts';
import { bugs, plant } from './plant.ts';
import { scenarios } from './scenarios.ts';

describe('a search finds', { timeout: 120_000 }, () => {
  beforeAll(() => {
    Error.stackTraceLimit = 0;
    // Each copy of the code listens to it.
    process.stdout.setMaxListeners(0);
  });

  test.each(bugs)('$bug', async ({ foundBy, endsIn500, ...bug }) => {
    const scenario = scenarios.find(({ name }) => name === foundBy);
    if (!scenario) throw new Error(`there is no scenario "${foundBy}"`);
    const { href } = await plant(bug, 'test/faults/simulation/operation.ts');
    const operation: typeof import('./operation.ts') = await import(href);
    const { first, schedules } = await exhaust(scenario, operation, { stopAtFirst: true });
    if (!first) expect.fail(`not found in ${schedules} schedules`);
    expect(first).toContain('repeat: SCHEDULE=');
    expect(first.includes('500 without a cause'), first).toBe(endsIn500);
  });
});
