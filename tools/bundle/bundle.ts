import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { cacheFileOf } from '#lib/runtime/load-bundle.ts';
import { bundleFile, localFolder, projectRoot } from '#tools/project.ts';
import { licensesOf } from './licenses.ts';
import { defaultOptimizations, type Optimization, optimizations } from './optimizations.ts';

const shared = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // esbuild removes unused code from the ES module builds of the SDK, not from its CommonJS builds.
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: 'external',
  sourcesContent: false,
  // Written nowhere: paths in the source map are relative to it, and equal on all machines.
  outfile: bundleFile,
  legalComments: 'none',
} satisfies BuildOptions;

/** Where the bundle has its own hash. As long as a hash, so that it moves no column of the source map. */
const hashPlaceholder = 'hash-of-a-bundle';

/** How the function is bundled, with everything that it imports. */
export const bundleOptions = (used: readonly Optimization[]) =>
  ({
    ...shared,
    entryPoints: ['handlers/update-file.ts'],
    // CommonJS starts faster: an ES import of node:http evaluates the whole module.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'process.env.BUNDLE_HASH': JSON.stringify(hashPlaceholder) },
    alias: Object.fromEntries(used.flatMap((name) => Object.entries(optimizations[name]))),
  }) satisfies BuildOptions;

/** Builds one file in memory. */
const runEsbuild = async (options: BuildOptions) => {
  const { outputFiles, metafile } = await build({ ...options, write: false, metafile: true });
  const [map, output] = outputFiles;
  if (map === undefined || output === undefined) throw new Error('esbuild wrote nothing');
  return { code: output.contents, map: map.contents, metafile };
};

/** Writes to a temporary file and renames it, so that another process never loads half a file. */
const replaceFile = (file: string, content: Uint8Array): void => {
  const temporary = join(localFolder, `${basename(file)}.${process.pid}`);
  writeFileSync(temporary, content);
  renameSync(temporary, file);
};

/**
 * Bundles handlers/update-file.ts with everything that it imports into `file`. Beside it stand its source map, the
 * module that Lambda loads first, with the extension `.mjs`, and the licences of the packages in it. Removes all other
 * files of that folder, because a stale one could be loaded or packaged.
 *
 * @returns all files of the folder, and what the bundle contains
 */
export const buildBundle = async ({
  optimizations: used = defaultOptimizations as readonly Optimization[],
  file = bundleFile,
} = {}) => {
  const { code: bundled, map, metafile } = await runEsbuild(bundleOptions(used));
  const hash = createHash('sha256').update(bundled).digest('hex').slice(0, 16);
  const code = Buffer.from(Buffer.from(bundled).toString().replaceAll(hashPlaceholder, hash));
  const contents = new Map([
    [file, code],
    // Kept beside the zip, not in it.
    [`${file}.${hash}.map`, map],
    [join(dirname(file), 'LICENSES.txt'), Buffer.from(licensesOf(metafile))],
  ]);
  if (used.includes('primed') || used.includes('code-cache')) {
    const entry = await runEsbuild({
      ...shared,
      entryPoints: ['lib/runtime/entry.ts'],
      format: 'esm',
      define: {
        BUNDLE: JSON.stringify(basename(file)),
        PRIMED: String(used.includes('primed')),
        BUNDLE_HASH: JSON.stringify(hash),
      },
    });
    contents.set(file.replace(/cjs$/, 'mjs'), entry.code);
  }
  const folder = dirname(file);
  for (const path of [localFolder, folder]) mkdirSync(path, { recursive: true });
  for (const [path, content] of contents) replaceFile(path, content);
  const stale = readdirSync(folder).filter((name) => !contents.has(join(folder, name)));
  for (const name of stale) rmSync(join(folder, name), { recursive: true, force: true });
  const files = [...contents.keys()];
  if (used.includes('code-cache')) {
    const cacheFile = cacheFileOf(file, hash);
    // In a process of its own, where V8 has compiled nothing of it before.
    const script = [join(import.meta.dirname, 'code-cache.ts'), file, cacheFile];
    execFileSync(process.execPath, script, { stdio: ['ignore', 'ignore', 'inherit'] });
    files.push(cacheFile);
  }
  return { files, bytes: code.byteLength, gzipBytes: gzipSync(code).byteLength, metafile };
};
