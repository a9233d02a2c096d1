import { expect, test } from 'vitest';
import { growthSentence } from '../../bench/report/growth-sentence.ts';
import { aGrowth, aPoint } from './given.ts';

test('what does not grow is flat', () => {
  const growth = aGrowth(
    'growth-files',
    [aPoint(100), aPoint(1000, { wallP50: 99 }), aPoint(1_000_000, { wallP50: 10.3 })],
    {
      quantity: 'files in the space',
    },
  );
  expect(growthSentence(growth)).toBe(
    'Flat: wall time 1.03 times, CPU 1.00 times, from 100 to 1,000,000 files in the space. ' +
      'A file is found by its key, however many others there are.',
  );
});

test('what grows says by how much, with its units and the reason', () => {
  const growth = aGrowth(
    'growth-tags',
    [aPoint(0), aPoint(1000, { wallP50: 15, cpu: 5000, writeUnits: 50 })],
    {
      quantity: 'tags',
    },
  );
  expect(growthSentence(growth)).toBe(
    'Grows: wall time 1.50 times, CPU 2.50 times, write units from 1 to 50, from 0 to 1,000 tags. ' +
      'The item comes back with its tags, and they are parsed and sent on. DynamoDB counts units by size.',
  );
});

test('an unknown growth has no reason, a single point no growth', () => {
  expect(growthSentence(aGrowth('growth-x', [aPoint(1), aPoint(2)]))).toBe(
    'Flat: wall time 1.00 times, CPU 1.00 times, from 1 to 2 things.',
  );
  expect(growthSentence(aGrowth('growth-files', [aPoint(1)]))).toBe('Not measured.');
});
