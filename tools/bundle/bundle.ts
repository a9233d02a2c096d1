import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { cacheFileOf } from '#lib/runtime/load-bundle.ts';
import { distFolder, localFolder, projectRoot } from '#tools/project.ts';
import { readServerlessConfig } from '#tools/serverless-config.ts';
import { licensesOf } from './licenses.ts';

const shared = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  // Lambda's own: nodejs24.x is node24 here.
  target: readServerlessConfig().runtime.replace(/^nodejs(\d+)\.x$/, 'node$1'),
  // esbuild removes unused code from the ES module builds of the SDK, not from its CommonJS builds.
  mainFields: ['module', 'main'],
  minify: true,
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
} satisfies BuildOptions;

/** Replaced with the hash as soon as it is known. Both have 16 characters, so the columns in the source map stay right. */
const hashPlaceholder = 'hash-of-a-bundle';

/** Never written. The paths in the source map are relative to it, and so equal on all machines. */
const outfile = join(distFolder, 'bundle.cjs');

/** What the SDK imports on demand: none of it if the credentials are in the environment (docs/decisions/006). */
export const externalParts: readonly string[] = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/core/event-streams',
  '@smithy/credential-provider-imds',
];

/** How a module is bundled, with everything that it imports, but for the `external` modules. */
export const bundleOptions = (source: string, external = externalParts) =>
  ({
    ...shared,
    entryPoints: [source],
    outfile,
    // CommonJS starts faster: an ES import of node:http evaluates the whole module.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'process.env.BUNDLE_HASH': JSON.stringify(hashPlaceholder) },
    external: [...external],
  }) satisfies BuildOptions;

/** How the module that Lambda loads first is built. What it declares is set here. */
export const entryOptions = (bundle: string, hash: string) =>
  ({
    ...shared,
    entryPoints: ['lib/runtime/entry.ts'],
    outfile,
    format: 'esm',
    define: {
      BUNDLE: JSON.stringify(bundle),
      BUNDLE_HASH: JSON.stringify(hash),
    },
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
 * Bundles one function with everything that it imports into `file`: `update-file.cjs` is that of handlers/update-file.ts.
 * Beside it stand its source map, and the module that Lambda loads first, with the extension `.mjs`.
 *
 * @param codeCache whether V8's compiled code is stored there too. It serves only the Node version that builds it
 * @returns its files, and what it contains
 */
export const buildBundle = async (file: string, codeCache = false) => {
  const source = `handlers/${basename(file, '.cjs')}.ts`;
  const { code: bundled, map, metafile } = await runEsbuild(bundleOptions(source));
  const hash = createHash('sha256').update(bundled).digest('hex').slice(0, 16);
  const code = Buffer.from(Buffer.from(bundled).toString().replaceAll(hashPlaceholder, hash));
  const entry = await runEsbuild(entryOptions(basename(file), hash));
  const contents = new Map([
    [file, code],
    // Kept beside the zip, not in it.
    [`${file}.${hash}.map`, map],
    [file.replace(/cjs$/, 'mjs'), entry.code],
  ]);
  for (const path of [localFolder, dirname(file)]) mkdirSync(path, { recursive: true });
  for (const [path, content] of contents) replaceFile(path, content);
  const files = [...contents.keys()];
  if (codeCache) {
    const cacheFile = cacheFileOf(file, hash);
    // In a process of its own, where V8 has compiled nothing of it before.
    const script = [join(import.meta.dirname, 'code-cache.ts'), file, cacheFile];
    execFileSync(process.execPath, script, { stdio: ['ignore', 'ignore', 'inherit'] });
    files.push(cacheFile);
  }
  return { files, bytes: code.byteLength, gzipBytes: gzipSync(code).byteLength, metafile };
};

/**
 * Bundles each function of serverless.yml into a folder, and writes the licences of the packages in them. Removes all
 * other files of the folder, because a stale one could be loaded or packaged.
 *
 * @returns all files of the folder, and the sum of the sizes of the bundles with gzip
 */
export const buildFunctions = async ({ folder = distFolder, codeCache = false } = {}) => {
  const bundles = [];
  for (const { file } of readServerlessConfig().functions)
    bundles.push(await buildBundle(join(folder, `${file}.cjs`), codeCache));
  const licenses = join(folder, 'LICENSES.txt');
  replaceFile(licenses, Buffer.from(licensesOf(bundles.map(({ metafile }) => metafile))));
  const files = [licenses, ...bundles.flatMap((bundle) => bundle.files)];
  const stale = readdirSync(folder).filter((name) => !files.includes(join(folder, name)));
  for (const name of stale) rmSync(join(folder, name), { recursive: true, force: true });
  return { files, gzipBytes: bundles.reduce((sum, bundle) => sum + bundle.gzipBytes, 0) };
};
