import { expect, test } from 'vitest';
import { allCases } from './cases/all.ts';
import { registerCases } from './harness.ts';

registerCases(allCases);

test('each case has its own name', () => {
  const names = allCases.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
