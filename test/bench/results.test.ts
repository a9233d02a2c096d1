import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toStableJson } from '../../bench/report/json.ts';
import { readResults } from '../../bench/report/read.ts';
import { writeResults } from '../../bench/report/write.ts';
import { aFolder } from './a-folder.ts';
import { aMeasurement, aSmallRun, someResults } from './given.ts';

test('results come back as they were written, in the order of their ids', () => {
  const folder = aFolder();
  const { variants, measurements, growths } = aSmallRun();
  writeResults(folder, { variants, measurements, growths });
  expect(readdirSync(folder).toSorted()).toEqual([
    'cold.json',
    'growth-files.json',
    'size.json',
    'variants.json',
  ]);
  const read = readResults(folder);
  expect(read.measurements).toEqual(measurements.toReversed());
  expect(read.growths).toEqual(growths);
  expect(read.variants.map(({ id }) => id)).toEqual([
    'floor',
    'hono',
    'hono-equalised',
    'plain',
    'space-files',
  ]);
});

test('a partial run replaces what it measured and keeps the rest', () => {
  const folder = aFolder();
  writeResults(folder, aSmallRun());
  writeResults(folder, someResults({ variants: [], measurements: [aMeasurement('cold', { plain: [1] })] }));
  const read = readResults(folder);
  expect(read.measurements.map(({ id, values }) => [id, values['plain']])).toEqual([
    ['cold', [1]],
    ['size', [409_600]],
  ]);
  expect(read.variants).toHaveLength(5);
});

test('an empty or missing folder holds no results', () => {
  expect(readResults(join(aFolder(), 'missing'))).toEqual({ variants: [], measurements: [], growths: [] });
});

test('a file of another form is refused by its name and the place', () => {
  const folder = aFolder();
  writeResults(folder, aSmallRun());
  const file = join(folder, 'cold.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"hono": [150', '"hono": ["150"'));
  expect(() => readResults(folder)).toThrow(/cold\.json holds no result at values\.hono\.0: /);
});

test('the JSON is sorted, rounded to three decimals, with each list of numbers on one line', () => {
  const data = { b: { list: [1.23456, 2], empty: [] }, a: [{ text: '"', on: true }], none: {} };
  expect(toStableJson(data)).toBe(
    '{\n  "a": [\n    {\n      "on": true,\n      "text": "\\""\n    }\n  ],\n' +
      '  "b": {\n    "empty": [],\n    "list": [1.235, 2]\n  },\n  "none": {}\n}\n',
  );
});
