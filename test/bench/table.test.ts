import { expect, test } from 'vitest';
import { renderTables } from '../../bench/report/table.ts';
import { layout } from '../../bench/report/terminal/layout.ts';
import { wrap } from '../../bench/report/terminal/wrap.ts';
import { aSmallRun } from './given.ts';

const blocks = (text: string) => text.split('\n\n');

test('the figures of a run, each with its ratio, with the spread where it fits', () => {
  expect(blocks(renderTables(aSmallRun(), { width: 120, colour: false })).slice(0, 2)).toEqual([
    [
      'Size and memory',
      '                             bundle, KB',
      'space-files      ours          200 0.50',
      'plain handler    anchor        400 1.00',
      'Hono             as written    800 2.00',
      'Hono, equalised  equalised     300 0.75',
      'floor: no SDK    bound         5.0 0.01',
    ].join('\n'),
    [
      'Cold start',
      '                                       cold, ms',
      'space-files      ours         64 0.70 0.65–0.75',
      'plain handler    anchor      100 1.00 1.00–1.00',
      'Hono             as written  140 1.50 1.45–1.55',
      'Hono, equalised  equalised    71 0.71 0.65–0.91',
      'floor: no SDK    bound        20 0.20 0.20–0.23',
    ].join('\n'),
  ]);
});

test('without room for it the spread is left out', () => {
  expect(renderTables(aSmallRun(), { width: 40, colour: false })).toContain(
    '\nspace-files      ours         64 0.70\n',
  );
});

test('what was not measured is named', () => {
  const text = renderTables(aSmallRun(), { width: 120, colour: false });
  expect(text).toContain('\n\nNot measured: gzipped bundle, memory after the first request, peak memory,');
});

test('colours come only when they are asked for, and do not shift a column', () => {
  const rows = [{ cells: ['a', '1'], colour: 'red' } as const, { cells: ['bb', '22'] }];
  expect(layout(rows, { colour: false })).toBe('a    1\nbb  22');
  expect(layout(rows, { colour: true })).toBe('\u001b[31ma    1\u001b[39m\nbb  22');
});

test('a long note is broken between words', () => {
  expect(wrap('one two three four', 9)).toBe('one two\nthree\nfour');
});
