import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { projectRoot } from '../tools/project.ts';
import { loadedFiles } from './loaded-files.ts';
import { buildOurs } from './ours.ts';
import type { Variant } from './types.ts';
import { type Recipe, recipes } from './variants.ts';

const buildFolder = join(projectRoot, 'bench', '.build');

/** Builds every variant afresh into bench/.build/<id>/. A quick run leaves out the equalised peers. */
export const buildVariants = async ({ quick }: { quick: boolean }): Promise<Variant[]> => {
  await rm(buildFolder, { recursive: true, force: true });
  await mkdir(buildFolder);
  // One after the other: the project's own build ends esbuild's process when it is done.
  const ours = await buildOurs(buildFolder);
  return [...ours, ...(await Promise.all(recipes({ quick }).map(buildVariant)))];
};

const buildVariant = async ({ entry, options, ...recipe }: Recipe): Promise<Variant> => {
  const file = join(buildFolder, recipe.id, 'handler.cjs');
  await build({
    ...options,
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    outfile: file,
    logLevel: 'silent',
  });
  const files = options.packages === 'external' ? await loadedFiles(file) : [file];
  return { ...recipe, file, ...(await sizeOf(files)) };
};

/** Each file on its own, as it is in the zip that Lambda gets. */
const sizeOf = async (files: readonly string[]): Promise<Pick<Variant, 'bytes' | 'gzipBytes'>> => {
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
  return {
    bytes: sum(contents.map(({ byteLength }) => byteLength)),
    gzipBytes: sum(contents.map((content) => gzipSync(content).byteLength)),
  };
};
