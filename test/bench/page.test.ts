import { describe, expect, test } from 'vitest';
import { renderPage } from '../../bench/report/page.ts';
import { aMeasurement, aSmallRun, someResults } from './given.ts';

/** The part of a page from a heading to the next one. */
const sectionOf = (page: string, heading: string) =>
  page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';

describe('the page of a small run', () => {
  const page = renderPage(aSmallRun());

  test('begins with what it comes to', () => {
    expect(page.split('\n## ')[0]).toBe(`# Performance

Made by \`npm run bench\` from bench/results/*.json; not edited by hand.

What this function takes, compared with the plain handler that does the same job:

- **0.70** of the cold start
- **0.50** of the bundle

3 of the 3 targets that were measured are reached.
`);
  });

  test('has its sections in order', () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual([
      'Targets',
      'Is the comparison fair?',
      'In pictures',
      'What each lever brings',
      'How it grows',
      'What stays ahead of us',
      'Cost of a million requests',
      'All figures',
      'How each figure was taken',
      'Limits',
    ]);
  });

  test('says of each target whether it is reached', () => {
    const targets = sectionOf(page, 'Targets');
    expect(targets).toContain('| Cold start | at most 0.75, stretch 0.69 | 0.700 (0.65–0.75) | reached |');
    expect(targets).toContain('| Peak memory | at most 0.65, stretch 0.55 | - | not measured |');
    expect(targets).toContain(
      '| Ahead of Hono, as written and equalised | every figure | 4 of 4 figures | reached; ' +
        'no more than a tie in cold start 0.99 (equalised, within the spread) |',
    );
  });

  test('shows figures, pictures and growth', () => {
    expect(sectionOf(page, 'All figures')).toContain('| **space-files** | 64 · 0.70 (0.65–0.75) |');
    expect(sectionOf(page, 'In pictures')).toContain('![Cold start](performance/cold.svg)');
    expect(sectionOf(page, 'How it grows')).toContain('Flat: wall time 1.03 times');
    expect(sectionOf(page, 'Is the comparison')).toContain(
      '- Measured on 2026-11-21 (UTC): Some CPU, 2 cores, Node 24.21.0, a whole run.',
    );
  });

  test('names who is ahead of us, and in what', () => {
    expect(sectionOf(page, 'What stays')).toContain('| floor: no SDK | bundle 40.00, cold start 3.20 |');
  });

  test('leaves out of the total what was not measured, and says so', () => {
    expect(sectionOf(page, 'Cost')).toContain(
      '| **Total** | **$1.35** | **$1.35** | without: Lambda duration, Cold starts, DynamoDB reads, DynamoDB writes |',
    );
  });
});

test('a page of nothing says so, and shows no figure', () => {
  const page = renderPage(someResults());
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
  expect(sectionOf(page, 'In pictures')).toContain('Not measured.');
  expect(sectionOf(page, 'How it grows')).toContain('Not measured.');
});

test('a quick run is told as one', () => {
  const quick = aMeasurement('cold', { plain: [1] }, { mode: 'quick' });
  expect(renderPage(someResults({ measurements: [quick] }))).toContain(
    'a quick run: to look at, not to rely on',
  );
});

test('tells what each lever brings, against the bundle with all of them', () => {
  const values = { all: [100, 100, 100], 'env-credentials': [110, 112, 114] };
  const sizes = { all: [224_000], 'env-credentials': [360_000] };
  const page = renderPage(
    someResults({
      measurements: [aMeasurement('levers-cold', values), aMeasurement('levers-size', sizes)],
    }),
  );
  expect(sectionOf(page, 'What each lever brings')).toContain(
    '| `env-credentials` | 133 KB | 1.12 (1.11–1.13) |',
  );
});
