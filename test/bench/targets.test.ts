import { describe, expect, test } from 'vitest';
import { judge } from '../../bench/report/judge.ts';
import { judgeLead } from '../../bench/report/lead.ts';
import { targetLines } from '../../bench/report/target-lines.ts';
import { leads, targets } from '../../bench/report/targets.ts';
import { aMeasurement, someResults } from './given.ts';

const target = {
  title: 'Cold',
  measurement: 'cold',
  variant: 'space-files',
  to: 'plain',
  limit: 0.75,
  stretch: 0.69,
};
const cold = (ours: number) =>
  someResults({ measurements: [aMeasurement('cold', { 'space-files': [ours], plain: [100] })] });

describe('a target', () => {
  test.each([
    [60, 'reached', true],
    [70, 'reached', false],
    [75, 'reached', false],
    [75.1, 'missed', false],
  ])('of at most 0.75 with %d to 100 is %s', (ours, verdict, stretched) => {
    expect(judge(cold(ours), target)).toMatchObject({ verdict, stretched });
  });

  test('is not measured where the variant, the anchor or all of it was not', () => {
    const without = (values: Record<string, number[]>) =>
      judge(someResults({ measurements: [aMeasurement('cold', values)] }), target).verdict;
    expect(without({ plain: [1] })).toBe('not measured');
    expect(without({ 'space-files': [1] })).toBe('not measured');
    expect(judge(someResults(), target).verdict).toBe('not measured');
  });
});

const lineOf = (what: string, measurements: ReturnType<typeof aMeasurement>[]) =>
  targetLines(someResults({ measurements })).find((line) => line.what === what);

describe('the targets in words', () => {
  test('bytes are told in KB of 1,024', () => {
    expect(lineOf('Bundle', [aMeasurement('size', { 'space-files': [245_760] }, { unit: 'bytes' })])).toEqual(
      {
        what: 'Bundle',
        asked: 'at most 240 KB, stretch 215 KB',
        measured: '240 KB',
        verdict: 'reached',
        note: '',
      },
    );
  });

  test('our own CPU is what is beyond the SDK calls', () => {
    const warm = aMeasurement('own-cpu', {
      'space-files': [935, 940],
      'sdk-only': [835, 830],
      plain: [880, 880],
    });
    expect(lineOf('Our own CPU beyond the SDK calls, stubbed', [warm])).toEqual({
      what: 'Our own CPU beyond the SDK calls, stubbed',
      asked: 'at most 0.125, stretch 0.091',
      measured: '0.119 (0.12–0.12)',
      verdict: 'reached',
      note: '',
    });
  });

  test('calls are counted', () => {
    expect(lineOf('Calls per update', [aMeasurement('calls', { 'space-files': [3] })])).toMatchObject({
      asked: 'at most 2',
      measured: '3',
      verdict: 'missed',
    });
  });

  test('nothing is made up where nothing was measured', () => {
    const lines = targetLines(someResults());
    expect(lines).toHaveLength(targets.length + leads.length);
    expect(lines.every(({ measured, verdict }) => measured === '-' && verdict === 'not measured')).toBe(true);
  });
});

describe('a lead over a peer', () => {
  const values = { 'space-files': [60, 62, 64], plain: [100, 100, 100] };
  const against = (peer: Record<string, number[]>) =>
    judgeLead(someResults({ measurements: [aMeasurement('cold', { ...values, ...peer })] }), {
      peer: 'hono',
      on: 'every figure',
    });

  test('counts the peer as written and equalised', () => {
    const judgement = against({ hono: [120, 120, 120], 'hono-equalised': [80, 80, 80] });
    expect(judgement.verdict).toBe('reached');
    expect(judgement.compared.map(({ variant }) => variant)).toEqual(['hono', 'hono-equalised']);
    expect(judgement).toMatchObject({ behind: [], open: [], missing: [] });
  });

  test('is missed where either form is faster or as fast', () => {
    expect(against({ hono: [120, 120, 120], 'hono-equalised': [50, 50, 50] }).verdict).toBe('missed');
    expect(against({ hono: [60, 62, 64] }).verdict).toBe('missed');
  });

  test('says where the spread leaves it open, and which form is missing', () => {
    const judgement = against({ hono: [65, 65, 60] });
    expect(judgement.verdict).toBe('reached');
    expect(judgement.open.map(({ variant }) => variant)).toEqual(['hono']);
    expect(judgement.missing).toEqual(['equalised']);
  });

  test('does not ask for fewer calls than the peer makes', () => {
    const calls = aMeasurement('calls', { 'space-files': [2], hono: [2] });
    const lead = { peer: 'hono', on: 'every figure' };
    expect(judgeLead(someResults({ measurements: [calls] }), lead).verdict).toBe('reached');
  });
});
