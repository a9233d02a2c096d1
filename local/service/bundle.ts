import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, stop } from 'esbuild';
import { Complaint, reasonOf } from '#local/complaint.ts';
import { bundleFile, localFolder, projectRoot } from '#local/project.ts';

/** Sizes in bytes, as stored and as sent to Lambda. */
export type Bundle = { file: string; bytes: number; gzipBytes: number };

/**
 * Bundles handlers/update-file.ts with everything it imports, the SDK too, into dist/update-file.cjs and leaves
 * nothing else in dist/. Throws a Complaint that names the first line at fault.
 */
export const buildBundle = async (): Promise<Bundle> => {
  const code = await bundleCode();
  // Written aside and renamed: whoever loads the bundle meanwhile gets the old one or the new one, whole.
  const draft = join(localFolder, `${basename(bundleFile)}.${process.pid}`);
  await mkdir(localFolder, { recursive: true });
  await mkdir(dirname(bundleFile), { recursive: true });
  await writeFile(draft, code);
  await rename(draft, bundleFile);
  await removeStrangers(dirname(bundleFile));
  return { file: bundleFile, bytes: code.byteLength, gzipBytes: gzipSync(code).byteLength };
};

const bundleCode = async (): Promise<Uint8Array> => {
  try {
    const { outputFiles } = await build({
      absWorkingDir: projectRoot,
      entryPoints: ['handlers/update-file.ts'],
      bundle: true,
      write: false,
      platform: 'node',
      target: 'node24',
      // `invoke local` cannot load .mjs, and the SDK's CommonJS parts break inside an ES module bundle.
      format: 'cjs',
      // The ES module builds of the SDK leave out what is not used; their CommonJS builds cannot.
      mainFields: ['module', 'main'],
      supported: { 'dynamic-import': false },
      minify: true,
      // The bundle is run, not handed on; the licences stay with the packages.
      legalComments: 'none',
      logLevel: 'silent',
    });
    const [output] = outputFiles;
    if (output === undefined) throw new Error('esbuild wrote nothing');
    return output.contents;
  } catch (error) {
    throw new Complaint(`The function could not be built: ${buildProblem(error)}.`, { cause: error });
  } finally {
    // esbuild's own process would keep this one alive.
    await stop();
  }
};

const buildProblem = (error: unknown): string => {
  const [first] = reasonLines(error);
  return first ?? reasonOf(error);
};

/** esbuild puts one problem on each line below its headline: `file:line:column: ERROR: text`. */
const reasonLines = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  return error.message.split('\n').slice(1);
};

/** Whatever an earlier version of the build left in dist/ could be loaded or packaged instead. */
const removeStrangers = async (folder: string): Promise<void> => {
  const names = await readdir(folder);
  const strangers = names.filter((name) => name !== basename(bundleFile));
  await Promise.all(strangers.map((name) => rm(join(folder, name), { recursive: true, force: true })));
};
