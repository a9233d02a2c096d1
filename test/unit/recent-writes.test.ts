import { expect, test } from 'vitest';
import { readRecentWrites } from '#lib/store/recent-writes.ts';
import { aFile } from '#test/support/given.ts';

test('a file remembers nothing before the first write', () => {
  expect(readRecentWrites(aFile())).toEqual([]);
});

test('a file remembers its last writes, the latest first', () => {
  const file = aFile({ version: 9, w1: 'a.p.9.i', w2: 'b-1..10.', w8: 'c..6.' });
  const recentWrites = [
    { id: 'a', payloadHash: 'p', invocation: 'i', version: 9 },
    { id: 'b-1', payloadHash: '', invocation: '', version: 36 },
    { id: 'c', payloadHash: '', invocation: '', version: 6 },
  ];
  expect(readRecentWrites(file)).toStrictEqual(recentWrites);
});

test.each([
  [[3], []],
  [[''], []],
  [['no dot'], []],
  [['.p.7.i'], []],
  [['c.'], [{ id: 'c' }]],
  [['c..7'], [{ id: 'c' }]],
  [
    ['c..7. ', 'c..7.i.'],
    [{ id: 'c', payloadHash: '', invocation: ' ', version: 7 }, { id: 'c' }],
  ],
  [['c..-7.'], [{ id: 'c' }]],
  [['c..123456789abc.'], [{ id: 'c' }]],
  [[undefined, 'a.p.9.i'], [{ id: 'a', payloadHash: 'p', invocation: 'i', version: 9 }]],
])(
  'reads at most an id from an entry of another form, and the entries after it: %j',
  (entries, recentWrites) => {
    const [w1, w2] = entries;
    expect(readRecentWrites(aFile({ w1, w2 }))).toStrictEqual(recentWrites);
  },
);
