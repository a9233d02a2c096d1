import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  coldStart,
  quantile,
  ratioOf,
  readResults,
  regressionsOf,
  resultsFile,
  spreadOf,
  toJson,
} from '../../../bench/results.ts';

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

describe('a cold start is compared with the published one by its ratio to the plain handler', () => {
  const published = { [coldStart]: { ours: [102, 110, 104], plain: [201, 200, 200] } };
  const sentence = (ratio: string) =>
    `The cold start of ours takes ${ratio} of the plain handler's instructions, published are ×0.510.`;

  test.each([
    ['3 % more pass', { ours: [1_050], plain: [2_000] }, []],
    ['4 % more fail', { ours: [1_064], plain: [2_000] }, [sentence('×0.532')]],
    ['as much as before passes where all instructions are more', { ours: [204], plain: [400] }, []],
  ])('%s', (_, figure, sentences) => {
    expect(regressionsOf({ [coldStart]: figure }, published)).toEqual(sentences);
  });

  test('a start that was not published fails', () => {
    const unpublished = { [coldStart]: { plain: [200] } };
    expect(regressionsOf(published, unpublished)).toEqual([
      "The cold start of ours takes ×0.510 of the plain handler's instructions, published are ×NaN.",
    ]);
  });
});

test('results are stored with one line per list', () => {
  const results = readResults();
  expect(toJson(results)).toBe(readFileSync(resultsFile, 'utf8'));
  const calls = toJson({ ...results, figures: { calls: { plain: [1.235, 2] } } });
  expect(calls).toContain('"plain": [1.235,2]\n');
});
