import { expect, test } from 'vitest';
import { createVersionClock } from '#lib/store/update-file.ts';

test('a version is the time in microseconds, and one more for each reading within a millisecond', () => {
  let now = 1000;
  const nextVersion = createVersionClock(() => now);
  expect([nextVersion(0), nextVersion(0), nextVersion(0)]).toEqual([1_000_000, 1_000_001, 1_000_002]);
  now = 1001;
  expect(nextVersion(0)).toBe(1_001_000);
});

test('a version is always above the stored one, and a stored one from the future moves no other file', () => {
  const nextVersion = createVersionClock(() => 1000);
  expect(nextVersion(9_000_000)).toBe(9_000_001);
  expect(nextVersion(0)).toBe(1_000_001);
});

test('a clock that is set back gives no version twice', () => {
  let now = 1000;
  const nextVersion = createVersionClock(() => now);
  nextVersion(0);
  now = 500;
  expect(nextVersion(0)).toBe(1_000_001);
});
