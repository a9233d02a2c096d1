import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningProject } from '../local/support/running-project.ts';
import type { Group } from './case.ts';
import { groups } from './cases/all.ts';
import { checkBurst, checkTls, smokeGroups } from './cases/smoke.ts';
import { type Fixture, readBaseUrl, readFixture, toSmokeFixture } from './fixture.ts';
import { createHarness } from './harness.ts';

const { CONTRACT_URL: given, CONTRACT_PART: part, CONTRACT_BURST: burst } = process.env;
const local = given === undefined ? runningProject() : undefined;
const urlOf = () => readBaseUrl(given ?? local?.url ?? '');

/** A test for each case. */
const register = (fixture: Fixture, selected: readonly Group[]) => {
  let harness: ReturnType<typeof createHarness>;
  beforeAll(() => {
    harness = createHarness(urlOf(), fixture);
  });
  afterAll(() => harness.close());
  describe.each(selected)('$title', ({ cases }) => {
    // Not test.each: it cuts a name at 40 characters.
    for (const given of cases)
      test(given.name, async ({ skip }) => {
        const missing = harness.missing(given);
        skip(missing.length > 0, `the fixture has no ${missing.join(', ')}`);
        await harness.run(given);
      });
  });
};

test('there are 427 cases for the contract and 28 for a deployment, each with its own name', () => {
  const names = (list: readonly Group[]) => list.flatMap(({ cases }) => cases.map(({ name }) => name));
  expect([new Set(names(groups)).size, names(groups).length, names(smokeGroups).length]).toEqual([
    427, 427, 28,
  ]);
});

if (part !== 'smoke') describe('the contract', () => register(readFixture(), groups));

if (part === 'smoke' || local)
  describe('a deployment', () => {
    register(toSmokeFixture(readFixture()), smokeGroups);

    test('The certificate is valid, and TLS is 1.2 or newer', async ({ skip }) => {
      skip(urlOf().protocol !== 'https:', 'the URL is http');
      expect(['TLSv1.2', 'TLSv1.3']).toContain(await checkTls(urlOf()));
    });

    test('API Gateway limits the request rate', async ({ skip }) => {
      skip(burst === undefined, '--burst N sends N requests');
      await checkBurst(urlOf(), toSmokeFixture(readFixture()), Number(burst));
    });
  });
