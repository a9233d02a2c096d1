import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { buildBundle } from '#tools/bundle/bundle.ts';
import { projectRoot } from '#tools/project.ts';
import { buildPeer } from '../../../bench/build.ts';
import { withTables } from '../../../bench/fixture.ts';
import { measureRun } from '../../../bench/process.ts';
import { checkedRequests } from '../../../bench/requests.ts';
import {
  coldStart,
  firstRequest,
  ratioOf,
  readResults,
  regressionsOf,
  unpublishedOf,
  warmRequest,
} from '../../../bench/results.ts';
import { compareWithoutParts, formatChart } from '../../../bench/summary.ts';

const newFolder = () => {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  return path;
};

// The other peers have the same operation. Only `npm run bench` installs their packages.
test('the function and the peer with the SDK respond as the benchmark expects', async () => {
  const folder = newFolder();
  await buildBundle(join(folder, 'update-file.cjs'));
  const files = [join(folder, 'update-file.mjs'), await buildPeer('expert', folder)];
  for (const file of files)
    await withTables((tables) => measureRun(file, tables, { requests: checkedRequests }));
});

test.each([
  ['the status', { statusCode: 500, body: '{"id":"a","summary":"A"}' }],
  ['a field', { statusCode: 200, body: '{"id":"a","summary":"B"}' }],
])('measureRun reports the request and both responses if %s is wrong', async (_, wrong) => {
  const file = join(newFolder(), 'handler.cjs');
  const right = { statusCode: 200, body: '{"id":"a","summary":"A"}' };
  const replies = JSON.stringify([right, wrong]);
  writeFileSync(file, `const replies = ${replies}; exports.handler = async () => replies.shift();`);
  const request = (name: string) => ({ name, event: '{}', status: 200, has: { summary: 'A' } });
  await expect(measureRun(file, {}, { requests: [request('first'), request('second')] })).rejects.toThrow(
    `second: expected 200 {"summary":"A"}, got ${wrong.statusCode} ${wrong.body}`,
  );
});

test.each([
  ['each round', { ours: [50, 500, 60], expert: [100, 1000, 100] }, [0.5, 0.5, 0.55]],
  ['one round, which has no spread', { ours: [150], expert: [200] }, [0.75, 0.75, 0.75]],
  ['the rounds that both have, not one of ours alone', { ours: [50, 60], expert: [100] }, [0.5, 0.5, 0.5]],
])('ratioOf gives the median and the quartiles of %s', (_, figure, [median, lower, upper]) => {
  expect(ratioOf(figure, 'ours', 'expert')).toEqual({ median, lower, upper });
});

test.each([[undefined], [{ ours: [1] }], [{ expert: [1] }]])('ratioOf gives nothing for %j', (figure) => {
  expect(ratioOf(figure, 'ours', 'expert')).toBeUndefined();
});

const published = {
  [coldStart]: { ours: [102, 110, 104], expert: [201, 200, 200] },
  [firstRequest]: { ours: [20], expert: [20] },
  [warmRequest]: { ours: [5], expert: [10] },
};

test.each([
  ['passes 3 % more than the published start', coldStart, { ours: [1_070], expert: [2_000] }, []],
  [
    'reports 4 % more than the published start',
    coldStart,
    { ours: [1_084], expert: [2_000] },
    ["ours: cold start: ×0.542 of the expert's, published are ×0.520."],
  ],
  [
    'reports 11 % more than the published first request',
    firstRequest,
    { ours: [11.1], expert: [10] },
    ["ours: first request: ×1.110 of the expert's, published are ×1.000."],
  ],
  [
    'reports 21 % more than the published warm request',
    warmRequest,
    { ours: [60.5], expert: [100] },
    ["ours: warm request: ×0.605 of the expert's, published are ×0.500."],
  ],
  [
    'reports an unpublished start',
    coldStart,
    { new: [102], expert: [200] },
    ["new: cold start: ×0.510 of the expert's, published are ×NaN."],
  ],
])('regressionsOf %s', (_, name, figure, sentences) => {
  expect(regressionsOf({ [name]: figure }, published)).toEqual(sentences);
});

test.each([
  ['the same variants', { ours: 'ours', expert: 'expert' }, []],
  [
    'a variant without published results',
    { ours: 'ours', expert: 'expert', new: 'new one' },
    ['new: built is new one, published is nothing.'],
  ],
  [
    'a variant that is not built any more',
    { ours: 'ours' },
    ['expert: built is nothing, published is expert.'],
  ],
  ['another name', { ours: 'mine', expert: 'expert' }, ['ours: built is mine, published is ours.']],
])('unpublishedOf reports %s', (_, built, sentences) => {
  expect(unpublishedOf(built, { ours: 'ours', expert: 'expert' })).toEqual(sentences);
});

const results = {
  run: 'Measured.',
  variants: {
    'space-files': 'ours',
    'space-files-cached': 'ours, cached',
    expert: "expert's",
    'expert-external': "expert's, parts left out",
    unmeasured: 'unmeasured',
  },
  figures: {
    [coldStart]: {
      'space-files': [160, 300, 160],
      'space-files-cached': [100, 105, 110],
      expert: [200, 200, 200],
      'expert-external': [140, 150, 160],
    },
  },
};

test('formatChart shows the ratio of each variant whose start was measured, from 0', () => {
  expect(formatChart(results)).toBe(`\`\`\`mermaid
%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#4a7ebb"}}}}%%
xychart-beta horizontal
  title "Instructions of a cold start, as a ratio to the expert's"
  x-axis ["ours ×0.80", "ours, cached ×0.53", "expert's ×1.00", "expert's, parts left out ×0.75"]
  y-axis 0 --> 1
  bar [0.80, 0.53, 1.00, 0.75]
\`\`\``);
});

test('compareWithoutParts compares both of our starts with the expert who leaves out the same parts', () => {
  expect(
    compareWithoutParts(results),
  ).toBe(`For a cold start, the expert's handler that leaves out the same parts of the SDK takes ×0.88 of what
ours takes by default. With the code cache, ours takes ×0.70 of what it takes.`);
  expect(compareWithoutParts({ ...results, figures: {} })).toBe('');
});

// The table has the same source. `npm run bench -- --check` compares it too, with a library of its own.
test('docs/performance.md has the chart and the sentence of the published results', () => {
  const published = readResults();
  const page = readFileSync(join(projectRoot, 'docs', 'performance.md'), 'utf8');
  expect(page).toContain(`\n${published.run}\n\n${formatChart(published)}\n`);
  expect(page).toContain(compareWithoutParts(published));
});
