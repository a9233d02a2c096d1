import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cacheFileOf, loadBundle, runScript, toScript } from '#lib/runtime/load-bundle.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'space-files-'));
  file = join(folder, 'bundle.cjs');
  await writeFile(
    file,
    'exports.sum = (a, b) => a + b; exports.at = __filename; exports.os = require("node:os").EOL;',
  );
});
afterAll(() => rm(folder, { recursive: true }));

const loaded = () => ({ sum: expect.any(Function), at: file, os: '\n' });

test('without compiled code the bundle is required', () => {
  expect(loadBundle(file, 'hash')).toEqual(loaded());
});

test('compiled code is taken where it is of this bundle and this Node', async () => {
  expect(cacheFileOf(file, 'hash')).toBe(`${file}.hash.${process.version}-${process.arch}.cache`);
  const script = toScript(file);
  expect(runScript(script, file).sum(1, 2)).toBe(3);
  const code = script.createCachedData();
  expect(toScript(file, code).cachedDataRejected).toBe(false);
  await writeFile(cacheFileOf(file, 'hash'), code);
  expect(loadBundle(file, 'hash')).toEqual(loaded());
  expect(loadBundle(file, 'other')).toEqual(loaded());
});

test('V8 itself takes no code of a source of another length', async () => {
  const one = join(folder, 'one.cjs');
  const other = join(folder, 'other.cjs');
  await writeFile(one, 'exports.one = 1;');
  await writeFile(other, 'exports.other = 22;');
  expect(toScript(one, toScript(other).createCachedData()).cachedDataRejected).toBe(true);
});
