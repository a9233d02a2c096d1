import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { quantile, ratioOf, readResults, resultsFile, spreadOf, toJson } from '../../bench/results.ts';

describe('median and quartiles', () => {
  test.each([
    [[7], { median: 7, lower: 7, upper: 7 }],
    [[3, 1], { median: 2, lower: 1.5, upper: 2.5 }],
    [[10, 9, 1, 2, 100], { median: 9, lower: 2, upper: 10 }],
    [[], undefined],
    [undefined, undefined],
  ])('of %j', (values, spread) => {
    expect(spreadOf(values)).toEqual(spread);
  });

  test('the 99th percentile lies between the two largest of a few values', () => {
    expect(quantile([5, 1, 2, 3, 4], 0.99)).toBeCloseTo(4.96, 10);
  });
});

describe('the ratio to the plain handler', () => {
  test.each([
    ['is taken per round', { ours: [50, 500, 60], plain: [100, 1000, 100] }, [0.5, 0.5, 0.55]],
    ['of one value each has no spread', { ours: [150], plain: [200] }, [0.75, 0.75, 0.75]],
    ['leaves out a round of ours alone', { ours: [50, 60], plain: [100] }, [0.5, 0.5, 0.5]],
    ['leaves out a round of the other alone', { ours: [50], plain: [100, 10] }, [0.5, 0.5, 0.5]],
  ])('%s', (_, figure, [median, lower, upper]) => {
    expect(ratioOf(figure, 'ours', 'plain')).toEqual({ median, lower, upper });
  });

  test.each([[undefined], [{}], [{ ours: [1] }], [{ plain: [1] }], [{ ours: [], plain: [1] }]])(
    'of %j is undefined',
    (figure) => {
      expect(ratioOf(figure, 'ours', 'plain')).toBeUndefined();
    },
  );
});

test('results are stored with three decimals and one line per list', () => {
  const results = readResults();
  expect(toJson(results)).toBe(readFileSync(resultsFile, 'utf8'));
  const calls = toJson({ ...results, figures: { calls: { plain: [1.23456, 2] } } });
  expect(calls).toContain('"plain": [1.235,2]\n');
});
