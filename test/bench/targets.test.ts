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
    ['cold', 99, 100, true],
    ['cold', 100, 100, false],
    ['cold', 101, 100, false],
    ['calls', 2, 2, true],
    ['calls', 3, 2, false],
  ])('in %s, %d to %d: is ahead, %j', (name, own, hono, isAhead) => {
    const figures = { [name]: { 'space-files': [own], hono: [hono] } };
    expect(compare(figures, 'hono')).toEqual([{ rival: 'hono', name, isAhead }]);
  });

  test('leaves out what was not measured', () => {
    expect(compare({ cold: { 'space-files': [100], plain: [1] } }, 'hono')).toEqual([]);
  });
});
