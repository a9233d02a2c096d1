import { describe, expect, test } from 'vitest';
import { ratio, ratioBeyond, spreadOf, valuesOf } from '../../bench/report/stats.ts';
import { aMeasurement } from './given.ts';

describe('median and quartiles', () => {
  test.each([
    [[7], { median: 7, lower: 7, upper: 7, rounds: 1 }],
    [[3, 1], { median: 2, lower: 1.5, upper: 2.5, rounds: 2 }],
    [[10, 9, 1, 2, 100], { median: 9, lower: 2, upper: 10, rounds: 5 }],
  ])('of %j', (values, spread) => {
    expect(spreadOf(values)).toEqual(spread);
  });

  test('there are none of nothing', () => {
    expect(spreadOf([])).toBeUndefined();
    expect(valuesOf(undefined, 'ours')).toBeUndefined();
    expect(valuesOf(aMeasurement('cold', {}), 'ours')).toBeUndefined();
  });
});

describe('a ratio to the anchor', () => {
  test('is taken round by round, so that a slow round slows both', () => {
    const cold = aMeasurement('cold', { ours: [50, 500, 60], plain: [100, 1000, 100] });
    expect(ratio(cold, 'ours', 'plain')).toEqual({ median: 0.5, lower: 0.5, upper: 0.55, rounds: 3 });
  });

  test('of one value each is plain division', () => {
    const size = aMeasurement('size', { ours: [150], plain: [200] });
    expect(ratio(size, 'ours', 'plain')).toEqual({ median: 0.75, lower: 0.75, upper: 0.75, rounds: 1 });
  });

  test('leaves out rounds that only one of them has', () => {
    const cold = aMeasurement('cold', { ours: [50, 60], plain: [100] });
    expect(ratio(cold, 'ours', 'plain')?.rounds).toBe(1);
  });

  test('is not there where either of them is not', () => {
    const cold = aMeasurement('cold', { ours: [50] });
    expect(ratio(cold, 'ours', 'plain')).toBeUndefined();
    expect(ratio(cold, 'hono', 'ours')).toBeUndefined();
    expect(ratio(undefined, 'ours', 'plain')).toBeUndefined();
  });
});

describe('what a variant takes beyond another', () => {
  const warm = aMeasurement('warm-stubbed', { ours: [900, 1000], part: [800, 850], plain: [800, 1000] });

  test('is the difference within a round, divided by the anchor', () => {
    const beyond = ratioBeyond(warm, { variantId: 'ours', lessId: 'part', anchorId: 'plain' });
    expect(beyond).toEqual({ median: 0.1375, lower: 0.13125, upper: 0.14375, rounds: 2 });
  });

  test('is not there where the part was not measured', () => {
    expect(ratioBeyond(warm, { variantId: 'ours', lessId: 'none', anchorId: 'plain' })).toBeUndefined();
  });
});
