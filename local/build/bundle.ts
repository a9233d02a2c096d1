import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { bundleFile, localFolder } from '#local/project.ts';
import { makeCodeCache } from './code-cache.ts';
import { defaultLevers, type Lever } from './levers.ts';
import { bundleOptions, entryOptions } from './options.ts';
import { runEsbuild } from './run-esbuild.ts';

/** Sizes in bytes, as stored and as sent to Lambda; `files` is everything that now lies in the folder. */
export type Bundle = { files: string[]; bytes: number; gzipBytes: number; metafile: Metafile };

type BundleOptions = { levers?: readonly Lever[]; file?: string };

/**
 * Bundles handlers/update-file.ts with everything it imports, the SDK too, into dist/update-file.cjs; beside it the
 * module that Lambda loads first, and nothing else. Throws a Complaint that names the first line at fault.
 */
export const buildBundle = async ({
  levers = defaultLevers,
  file = bundleFile,
}: BundleOptions = {}): Promise<Bundle> => {
  const { code, metafile } = await runEsbuild(bundleOptions(levers));
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const contents = new Map([[file, code]]);
  const isCached = levers.includes('code-cache');
  if (isCached || levers.includes('primed'))
    contents.set(file.replace(/cjs$/, 'mjs'), (await runEsbuild(entryOptions(levers, hash))).code);

  await Promise.all([localFolder, dirname(file)].map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all([...contents].map(([path, content]) => writeWhole(path, content)));
  await removeStrangers(dirname(file), [...contents.keys()]);
  const caches = isCached ? [await makeCodeCache(file, hash)] : [];
  return {
    files: [...contents.keys(), ...caches],
    bytes: code.byteLength,
    gzipBytes: gzipSync(code).byteLength,
    metafile,
  };
};

/** Written aside and renamed: whoever loads the bundle meanwhile gets the old one or the new one, whole. */
const writeWhole = async (file: string, content: Uint8Array): Promise<void> => {
  const draft = join(localFolder, `${basename(file)}.${process.pid}`);
  await writeFile(draft, content);
  await rename(draft, file);
};

/** Whatever an earlier version of the build left could be loaded or packaged instead. */
const removeStrangers = async (folder: string, files: readonly string[]): Promise<void> => {
  const kept = new Set(files.map((file) => basename(file)));
  const strangers = (await readdir(folder)).filter((name) => !kept.has(name));
  await Promise.all(strangers.map((name) => rm(join(folder, name), { recursive: true, force: true })));
};
