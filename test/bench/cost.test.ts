import { expect, test } from 'vitest';
import { costOf, totalOf } from '../../bench/report/cost.ts';
import { prices, priceText } from '../../bench/report/prices.ts';
import { aMeasurement, someResults } from './given.ts';

const measured = [
  aMeasurement('wall', { plain: [16, 15, 17] }),
  aMeasurement('cold-512', { plain: [187] }),
  aMeasurement('read-units', { plain: [2] }, { unit: 'units' }),
  aMeasurement('write-units', { plain: [1] }, { unit: 'units' }),
];

const dollars = (lines: ReturnType<typeof costOf>) =>
  Object.fromEntries(lines.map(({ what, dollars }) => [what, dollars && Number(dollars.toFixed(6))]));

test('a million requests are reckoned line by line, from units, wall time and cold start', () => {
  const lines = costOf(someResults({ measurements: measured }), 'plain');
  expect(dollars(lines)).toEqual({
    'HTTP API': 1,
    'Lambda requests': 0.2,
    // 1,000,000 x 0.016 s x 0.5 GB
    'Lambda duration': 0.106667,
    // 10,000 x 0.187 s x 0.5 GB
    'Cold starts': 0.012467,
    'DynamoDB reads': 0.25,
    'DynamoDB writes': 0.625,
    'Log line': 0.15,
  });
  expect(totalOf(lines)).toBeCloseTo(2.344134, 6);
});

test('the log line costs by its bytes', () => {
  const lines = costOf(someResults({ measurements: measured }), 'plain', 1000);
  expect(lines.find(({ what }) => what === 'Log line')?.dollars).toBe(0.5);
});

test('what was not measured is left out, and only that', () => {
  const lines = costOf(someResults(), 'plain');
  const missing = lines.filter((line) => line.dollars === undefined).map(({ what }) => what);
  expect(missing).toEqual(['Lambda duration', 'Cold starts', 'DynamoDB reads', 'DynamoDB writes']);
  expect(totalOf(lines)).toBeCloseTo(1.35, 9);
});

test('a price is told with its unit', () => {
  expect(priceText(prices.httpApi)).toBe('$1.00 per million requests');
  expect(priceText(prices.lambdaRequests)).toBe('$0.20 per million requests');
  expect(priceText(prices.lambdaDuration)).toBe('$0.0000133334 per GB-second, arm64');
});
