import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stalePaths, writeRendered } from '../../bench/report/files.ts';
import { readResults } from '../../bench/report/read.ts';
import { renderAll } from '../../bench/report/render.ts';
import { aFolder } from './a-folder.ts';
import { aSmallRun, someResults } from './given.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('docs/performance.md and its charts are those of bench/results', () => {
  const stale = stalePaths(root, renderAll(readResults(join(root, 'bench', 'results'))));
  expect(stale, 'made from other results: npm run bench writes them anew').toEqual([]);
});

test('the same results give the same bytes', () => {
  expect(renderAll(aSmallRun())).toEqual(renderAll(aSmallRun()));
  expect(renderAll(someResults()).size).toBe(0);
});

test('a file that was changed, is missing or is no longer made is found', () => {
  const folder = aFolder();
  const rendered = renderAll(aSmallRun());
  writeRendered(folder, rendered);
  expect(stalePaths(folder, rendered)).toEqual([]);
  writeFileSync(join(folder, 'docs/performance.md'), 'By hand.');
  rmSync(join(folder, 'docs/performance/cold.svg'));
  writeFileSync(join(folder, 'docs/performance/old.svg'), '');
  expect(stalePaths(folder, rendered)).toEqual([
    'docs/performance.md',
    'docs/performance/cold.svg',
    'docs/performance/old.svg',
  ]);
  writeRendered(folder, rendered);
  expect(stalePaths(folder, rendered)).toEqual([]);
});
