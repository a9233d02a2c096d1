import { afterAll, beforeAll, expect, test } from 'vitest';
import { partOf, read } from '#test/support/pages.ts';
import { replay, search } from './explore.ts';
import { judge } from './judge.ts';
import * as operation from './operation.ts';
import { bugs, plant } from './plant.ts';
import { scenarios } from './scenarios.ts';

const searched: string[] = [];
/** All schedules of a scenario, or 200 that SEED draws: the first ones in order would differ in the last choices only. */
const isWhole = Number(process.env['HISTORIES'] ?? 0) >= 10_000;
const seed = Number(process.env['SEED'] ?? 0);

beforeAll(() => {
  // Thousands of simulated errors: their stacks are never read.
  Error.stackTraceLimit = 0;
});
const describeLimits = (limits: Readonly<Record<string, number>>) =>
  Object.entries(limits).map(([limit, count]) => `${count} with the known limit "${limit}"`);
afterAll(() => {
  if (isWhole) process.stdout.write(`${searched.join('\n')}\n`);
});

test.each(scenarios)('the schedules of $name keep the rule', async (scenario) => {
  const drawn = isWhole ? undefined : { count: 200, seed };
  const { schedules, violations, first, limits } = await search(scenario, operation, { drawn });
  searched.push([`${scenario.name}: ${schedules} schedules`, ...describeLimits(limits)].join(', '));
  expect(first).toBeUndefined();
  expect({ violations, isSearched: schedules > 1 }).toEqual({ violations: 0, isSearched: true });
  if (isWhole) expect(limits).toEqual(scenario.limits ?? {});
});

/** SCHEDULE is the name of a scenario and the choices of a schedule, as a violation prints them. */
const schedule = process.env['SCHEDULE'];
if (schedule)
  test('a replay of SCHEDULE keeps the rule', async () => {
    const [, name, choices = ''] = /^(.*): ([\d ]*)$/.exec(schedule) ?? [];
    const scenario =
      scenarios.find((one) => one.name === name) ?? expect.fail(`there is no scenario "${name}"`);
    const run = await replay(scenario, choices.split(' ').map(Number), operation);
    process.stdout.write(
      `${[...run.steps, ...run.observed.map((seen) => JSON.stringify(seen))].join('\n')}\n`,
    );
    expect(judge(run, scenario).problems).toEqual([]);
  });

test.each(bugs)('a search finds the planted bug: $bug', async ({ foundBy, endsIn500, ...bug }) => {
  const scenario = scenarios.find(({ name }) => name === foundBy);
  if (!scenario) throw new Error(`there is no scenario "${foundBy}"`);
  const { href } = await plant(bug, 'test/simulation/operation.ts');
  const planted: typeof operation = await import(href);
  const { first, schedules } = await search(scenario, planted, { stopAtFirst: true });
  if (!first) expect.fail(`not found in ${schedules} schedules`);
  expect(first).toContain('repeat: SCHEDULE=');
  expect(first.includes('500 without a cause'), first).toBe(endsIn500);
});

const page = 'docs/guarantees.md';
// Whoever follows the page sees what it shows.
test(`${page} breaks the condition by a planted bug, and shows what a search then prints`, async () => {
  const code = partOf(page, /^```ts\n(.+?)\n```$/ms, 'the changed line, in a block of ts');
  const shown = partOf(page, /^```text\n(.+?)\n```$/ms, 'what the search prints, in a block of text');
  const bug =
    bugs.find(({ changes: [change] }) => change?.becomes === code) ??
    expect.fail(`test/simulation/planted-bugs.yaml has no bug that becomes: ${code}`);
  const scenario =
    scenarios.find(({ name }) => shown.startsWith(`${name}: `)) ??
    expect.fail(`${page} shows a scenario that test/simulation/scenarios.ts does not have`);
  const { href } = await plant(bug, 'test/simulation/operation.ts');
  const planted: typeof operation = await import(href);
  const seed = Number(partOf(page, /^ {4}SEED=(\d+) npx vitest /m, 'the command with its SEED'));
  const { first = '' } = await search(scenario, planted, { drawn: { count: 200, seed } });
  // The page leaves out the responses, which are long.
  expect(shown).toBe(first.replace(/^responses:\n.*(?=^repeat)/ms, ''));
});

test.each([
  [page, `[${bugs.length} such bugs](../test/simulation/planted-bugs.yaml)`],
  [page, `[${scenarios.length} scenarios](../test/simulation/scenarios.ts)`],
  ['README.md', `${scenarios.length} small scenarios`],
])('%s says "%s"', (file, words) => {
  expect(read(file).replaceAll(/\s+/g, ' ').includes(words)).toBe(true);
});
