import { expect, test } from 'vitest';
import { createVersionClock } from '#lib/store/version-clock.ts';
import { NOW } from '#test/support/fixtures.ts';

const year = 365 * 24 * 3_600_000;
test.each([
  ['counts within one millisecond', [[1], [1], [1], [2]], [1_000, 1_001, 1_002, 2_000]],
  ['is above the stored version, for this record only', [[1, 9_000], [1]], [9_001, 1_001]],
  ['repeats no version when the clock is corrected', [[2_000], [1_000]], [2_000_000, 2_000_001]],
  ['does not keep a jump of the clock', [[NOW + year], [NOW]], [(NOW + year) * 1000, NOW * 1000]],
  ['follows a clock that was set back', [[2_001], [1_000], [1_000]], [2_001_000, 1_000_000, 1_000_001]],
] as const)('the version clock %s', (_, readings, versions) => {
  let now = 0;
  const nextVersion = createVersionClock(() => now);
  const actual = readings.map(([time, storedVersion = 0]) => {
    now = time;
    return nextVersion(storedVersion);
  });
  expect(actual).toEqual(versions);
});
