import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningProject } from '#test/support/processes.ts';
import type { Groups } from './case.ts';
import { groups, smokeGroups } from './cases/all.ts';
import { type Fixture, readFixture, toSmokeFixture } from './fixture.ts';
import { checkRateLimit, createHarness } from './harness.ts';
import { createTransport } from './http.ts';

const { CONTRACT_URL: url, CONTRACT_PART: part = 'contract', CONTRACT_BURST: burst } = process.env;
const local = url === undefined ? runningProject() : undefined;
const createOwnTransport = (maxSockets?: number) =>
  createTransport(new URL(url ?? local?.url ?? ''), maxSockets);

/** A test for each case. */
const register = (fixture: Fixture, selected: Groups) => {
  let harness: ReturnType<typeof createHarness>;
  beforeAll(() => {
    harness = createHarness(createOwnTransport(), fixture);
  });
  afterAll(() => harness.close());
  for (const [title, cases] of Object.entries(selected))
    describe(title, () => {
      for (const given of cases)
        test(given.name, async ({ skip }) => {
          const missing = harness.missing(given);
          skip(missing.length > 0, `the fixture has no ${missing.join(', ')}`);
          await harness.run(given);
        });
    });
};

if (local || part === 'contract') describe('the contract', () => register(readFixture(), groups));

if (local || part === 'smoke')
  describe('a deployment', () => {
    register(toSmokeFixture(readFixture()), smokeGroups);

    test('API Gateway limits the request rate', async ({ skip }) => {
      skip(burst === undefined, '--burst N sends N requests');
      await checkRateLimit(createOwnTransport(50), Number(burst));
    });
  });

test('there are 427 cases for the contract and 28 for a deployment, each with its own name', () => {
  const names = Object.values(groups).flatMap((cases) => cases.map(({ name }) => name));
  expect([names.length, new Set(names).size, Object.values(smokeGroups).flat().length]).toEqual([
    427, 427, 28,
  ]);
});
