import { describe, expect, test } from 'vitest';
import { compare, judge } from '../../bench/targets.ts';

describe('a target', () => {
  test.each([
    ['of 0.75 times plain', { figure: 'cold', limit: 0.75 }, 75, { median: 0.75, reached: true }],
    ['of 0.75 times plain', { figure: 'cold', limit: 0.75 }, 76, { median: 0.76, reached: false }],
    ['of 60 in its unit', { figure: 'cold', limit: 60, in: 'unit' }, 60, { median: 60, reached: true }],
    ['of 60 in its unit', { figure: 'cold', limit: 60, in: 'unit' }, 61, { median: 61, reached: false }],
  ] as const)('%s: %j with %d to 100', (_, target, ours, { median, reached }) => {
    const judged = judge({ cold: { 'space-files': [ours], plain: [100] } }, target);
    expect(judged).toEqual({ measured: { median, lower: median, upper: median }, reached });
  });

  test('is judged by the variant that it names', () => {
    const figures = { cold: { 'space-files': [90], 'space-files-cached': [40], plain: [100] } };
    const target = { figure: 'cold', variant: 'space-files-cached', limit: 0.45 };
    expect(judge(figures, target)?.reached).toBe(true);
  });

  test.each([[{}], [{ cold: { plain: [100] } }], [{ cold: { 'space-files': [100] } }]])(
    'is not judged by %j',
    (figures) => {
      expect(judge(figures, { figure: 'cold', limit: 1 })).toBeUndefined();
    },
  );
});

describe('the comparison with a rival', () => {
  test.each([
    ['ahead', { cold: { 'space-files': [99], hono: [100] } }, { compared: 1, behind: [] }],
    ['level', { cold: { 'space-files': [100], hono: [100] } }, { compared: 1, behind: ['cold'] }],
    ['behind', { cold: { 'space-files': [101], hono: [100] } }, { compared: 1, behind: ['cold'] }],
    ['level in calls', { calls: { 'space-files': [2], hono: [2] } }, { compared: 1, behind: [] }],
    ['behind in calls', { calls: { 'space-files': [3], hono: [2] } }, { compared: 1, behind: ['calls'] }],
    ['not measured', { cold: { 'space-files': [100], plain: [1] } }, { compared: 0, behind: [] }],
  ])('%s', (_, figures, comparison) => {
    expect(compare(figures, 'hono')).toEqual(comparison);
  });
});
