import { expect, test } from 'vitest';
import { groups } from './cases/all.ts';
import { registerCases } from './harness.ts';

registerCases(groups);

test('there are 427 cases, each with its own name', () => {
  const names = Object.values(groups).flatMap((cases) => cases.map(({ name }) => name));
  expect([names.length, new Set(names).size]).toEqual([427, 427]);
});
