import { describe, expect, test } from 'vitest';
import { barCharts, growthCharts } from '../../bench/report/chart/charts.ts';
import { linear, logarithmic } from '../../bench/report/chart/scale.ts';
import { aGrowth, aMeasurement, aPoint, aSmallRun, someResults } from './given.ts';
import { xmlProblem } from './well-formed.ts';

const svgOf = (measurement: ReturnType<typeof aMeasurement>, extra = {}) =>
  barCharts(someResults({ measurements: [measurement], ...extra }))[0]?.svg ?? '';

const labelsOf = (svg: string) =>
  [...svg.matchAll(/<text class="end[^>]*>([^<]*)</g)].map(([, label]) => label);

test('there is a chart of everything that was measured', () => {
  expect(barCharts(aSmallRun()).map(({ id }) => id)).toEqual(['cold', 'size']);
  expect(growthCharts(aSmallRun()).map(({ id }) => id)).toEqual(['growth-files']);
});

test('a chart is a well-formed picture with a description, made for light and dark', () => {
  for (const { svg } of [...barCharts(aSmallRun()), ...growthCharts(aSmallRun())]) {
    expect(xmlProblem(svg)).toBeUndefined();
    expect(svg).toMatch(
      /^<!-- Made by npm run bench from bench\/results\/[\w-]+\.json; not edited by hand\. -->\n<svg /,
    );
    expect(svg).toContain(' role="img" aria-labelledby="title description">');
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  }
});

describe('bars', () => {
  const [cold = { svg: '' }] = barCharts(aSmallRun());

  test('carry ratio and value, and the anchor is a line at 1.00', () => {
    expect(cold.svg).toContain('>0.70 · 64 ms</text>');
    expect(cold.svg).toContain('>plain handler = 1.00</text>');
    expect(cold.svg).toContain(
      '<desc id="description">floor: no SDK (as written): 0.20 · 20 ms; space-files (equalised): 0.70 · 64 ms; ' +
        'Hono (as written): 1.50 · 140 ms; Hono, equalised (equalised): 0.71 · 71 ms; ' +
        'plain handler (as written): 1.00 · 100 ms</desc>',
    );
  });

  test('stand with the smallest first, both forms of a peer under one label', () => {
    expect(labelsOf(cold.svg)).toEqual(['floor: no SDK', 'space-files', 'Hono', 'plain handler']);
  });

  test('one that would squeeze all others is cut', () => {
    const values = { 'space-files': [50], plain: [100], hono: [1200] };
    expect(svgOf(aMeasurement('size', values))).toContain('class="cut"');
    expect(svgOf(aMeasurement('size', { ...values, hono: [190] }))).not.toContain('class="cut"');
  });

  test('a name that looks like markup stays text', () => {
    const variants = [{ id: 'plain', name: '<b>&"', kind: 'anchor', form: 'as written' }];
    const svg = svgOf(aMeasurement('cold', { plain: [1] }), { variants });
    expect(svg).toContain('&lt;b&gt;&amp;&quot;');
    expect(xmlProblem(svg)).toBeUndefined();
  });

  test('without the anchor there are none', () => {
    expect(svgOf(aMeasurement('cold', { 'space-files': [1] }))).toBe('');
  });
});

test('a growth from zero has a place for zero', () => {
  const [{ svg } = { svg: '' }] = growthCharts(
    someResults({ growths: [aGrowth('growth-tags', [aPoint(0), aPoint(10), aPoint(1000)])] }),
  );
  expect(svg).not.toMatch(/NaN|Infinity/);
  expect(svg).toContain('>1,000</text>');
});

describe('scales', () => {
  test.each([
    [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [1.92, [0, 0.5, 1, 1.5, 2]],
    [4.72, [0, 1, 2, 3, 4, 5]],
    [190, [0, 50, 100, 150, 200]],
  ])('an axis to %d has round ticks', (max, ticks) => {
    expect(linear(max, { from: 0, to: 100 }).ticks).toEqual(ticks);
  });

  test('a factor of ten takes the same way everywhere', () => {
    const { at } = logarithmic([10, 100, 1000], { from: 0, to: 100 });
    expect([10, 100, 1000].map(at)).toEqual([0, 50, 100]);
  });
});
