import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, stop } from 'esbuild';
import { cacheFileOf } from '#lib/runtime/load-bundle.ts';
import { reasonOf, UsageError } from '#tools/cli.ts';
import { bundleFile, localFolder, projectRoot } from '#tools/project.ts';
import { defaultOptimizations, type Optimization, optimizations } from './optimizations.ts';

/** A finished build: every file in the folder, and the size of the bundle in bytes. */
export type Bundle = { files: string[]; bytes: number; gzipBytes: number; metafile: Metafile };

const sharedOptions = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // esbuild removes unused code from the ES module builds of the SDK, not from its CommonJS builds.
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** How the function is bundled, with everything that it imports. */
export const bundleOptions = (used: readonly Optimization[]) => ({
  ...sharedOptions,
  entryPoints: ['handlers/update-file.ts'],
  // CommonJS starts faster: an ES import of node:http evaluates the whole module.
  format: 'cjs' as const,
  supported: { 'dynamic-import': false },
  alias: Object.fromEntries(used.flatMap((name) => Object.entries(optimizations[name]))),
});

/** How the module is bundled that Lambda loads first. */
const entryOptions = (used: readonly Optimization[], hash: string): BuildOptions => ({
  ...sharedOptions,
  entryPoints: ['lib/runtime/entry.ts'],
  format: 'esm',
  define: { PRIMED: String(used.includes('primed')), BUNDLE_HASH: JSON.stringify(hash) },
});

/** Builds one file in memory. */
const runEsbuild = async (options: BuildOptions): Promise<{ code: Uint8Array; metafile: Metafile }> => {
  try {
    const { outputFiles, metafile } = await build({ ...options, write: false, metafile: true });
    const [output] = outputFiles;
    if (output === undefined) throw new Error('esbuild wrote nothing');
    return { code: output.contents, metafile };
  } catch (error) {
    throw new UsageError(`The function could not be built: ${reasonOf(error)}`, { cause: error });
  } finally {
    // The process of esbuild would keep this one alive.
    await stop();
  }
};

/** Writes to a temporary file and renames it, so that another process never loads half a file. */
const replaceFile = async (file: string, content: Uint8Array): Promise<void> => {
  const temporary = join(localFolder, `${basename(file)}.${process.pid}`);
  await writeFile(temporary, content);
  await rename(temporary, file);
};

/** Removes every other file, because a stale one could be loaded or packaged. */
const removeStaleFiles = async (folder: string, files: readonly string[]): Promise<void> => {
  const stale = (await readdir(folder)).filter((name) => !files.includes(join(folder, name)));
  await Promise.all(stale.map((name) => rm(join(folder, name), { recursive: true, force: true })));
};

/** Loads the bundle in a process of its own, sends it a request, and stores what V8 compiled for that. */
const writeCodeCache = async (file: string, hash: string): Promise<string> => {
  const cacheFile = cacheFileOf(file, hash);
  const child = fork(join(import.meta.dirname, 'code-cache.ts'), [file, cacheFile], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new UsageError('The code cache could not be made.');
  return cacheFile;
};

/**
 * Bundles handlers/update-file.ts with everything that it imports into `file`. Beside it stands the module that Lambda
 * loads first, with the extension `.mjs`. Removes all other files of that folder.
 *
 * @throws {UsageError} that names the file and line of each problem
 */
export const buildBundle = async ({
  optimizations: used = defaultOptimizations,
  file = bundleFile,
}: {
  optimizations?: readonly Optimization[];
  file?: string;
} = {}): Promise<Bundle> => {
  const { code, metafile } = await runEsbuild(bundleOptions(used));
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const contents = new Map([[file, code]]);
  if (used.includes('primed') || used.includes('code-cache')) {
    const entry = await runEsbuild(entryOptions(used, hash));
    contents.set(file.replace(/cjs$/, 'mjs'), entry.code);
  }
  await Promise.all([localFolder, dirname(file)].map((folder) => mkdir(folder, { recursive: true })));
  await Promise.all([...contents].map(([path, content]) => replaceFile(path, content)));
  await removeStaleFiles(dirname(file), [...contents.keys()]);
  const caches = used.includes('code-cache') ? [await writeCodeCache(file, hash)] : [];
  return {
    files: [...contents.keys(), ...caches],
    bytes: code.byteLength,
    gzipBytes: gzipSync(code).byteLength,
    metafile,
  };
};
