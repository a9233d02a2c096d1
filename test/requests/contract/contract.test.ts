import { expect, test } from 'vitest';
import { allCases } from './cases/all.ts';
import { registerCases } from './harness.ts';

registerCases(allCases);

test('there are 473 cases, each with its own name', () => {
  expect([allCases.length, new Set(allCases.map(({ name }) => name)).size]).toEqual([473, 473]);
});
