import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  coldStart,
  ratioOf,
  readResults,
  regressionsOf,
  resultsFile,
  toJson,
} from '../../../bench/results.ts';

test.each([
  ['each round', { ours: [50, 500, 60], plain: [100, 1000, 100] }, [0.5, 0.5, 0.55]],
  ['one round, which has no spread', { ours: [150], plain: [200] }, [0.75, 0.75, 0.75]],
  ['the rounds that both have, not one of ours alone', { ours: [50, 60], plain: [100] }, [0.5, 0.5, 0.5]],
])('ratioOf gives the median and the quartiles of %s', (_, figure, [median, lower, upper]) => {
  expect(ratioOf(figure, 'ours', 'plain')).toEqual({ median, lower, upper });
});

test.each([[undefined], [{ ours: [1] }], [{ plain: [1] }]])('ratioOf gives nothing for %j', (figure) => {
  expect(ratioOf(figure, 'ours', 'plain')).toBeUndefined();
});

const published = { [coldStart]: { ours: [102, 110, 104], plain: [201, 200, 200] } };
const sentence = (now: string, before: string) =>
  `The cold start of ours takes ${now} of the plain handler's instructions, published are ${before}.`;

test.each([
  ['passes 3 % more than the published ratio', published, { ours: [1_050], plain: [2_000] }, []],
  [
    'reports 4 % more than the published ratio',
    published,
    { ours: [1_064], plain: [2_000] },
    [sentence('×0.532', '×0.510')],
  ],
  [
    'reports an unpublished start',
    { [coldStart]: { plain: [200] } },
    { ours: [102], plain: [200] },
    [sentence('×0.510', '×NaN')],
  ],
])('regressionsOf %s', (_, before, figure, sentences) => {
  expect(regressionsOf({ [coldStart]: figure }, before)).toEqual(sentences);
});

test('toJson writes results with one line per list', () => {
  const results = readResults();
  expect(toJson(results)).toBe(readFileSync(resultsFile, 'utf8'));
});
