import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cacheFileOf, loadBundle, toScript } from '#lib/runtime/load-bundle.ts';
import { temporaryFolder } from '#test/support/processes.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

test('loadBundle uses a code cache for its own bundle, hash, Node and architecture only', () => {
  const file = join(folder.path, 'bundle.cjs');
  writeFileSync(file, 'exports.at = new Error().stack; exports.eol = require("node:os").EOL;');
  expect(cacheFileOf(file, 'hash')).toBe(`${file}.hash.${process.version}-${process.arch}.cache`);
  const code = toScript(file).createCachedData();
  expect(toScript(file, code).cachedDataRejected).toBe(false);
  writeFileSync(cacheFileOf(file, 'hash'), code);
  const exported = { at: expect.stringContaining(`${file}:1:14`), eol: '\n' };
  expect(loadBundle(file, 'hash')).toEqual({ bundle: exported, codeCache: 'accepted' });
  expect(loadBundle(file, 'other')).toEqual({ bundle: exported, codeCache: 'absent' });
  const other = join(folder.path, 'other.cjs');
  writeFileSync(other, 'exports.text = "of another length, which V8 sees";');
  writeFileSync(cacheFileOf(other, 'hash'), code);
  const bundle = { text: 'of another length, which V8 sees' };
  expect(loadBundle(other, 'hash')).toEqual({ bundle, codeCache: 'rejected' });
});
