import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildBundle, bundleOptions } from '../tools/build/bundle.ts';
import { defaultOptimizations, type Optimization } from '../tools/build/optimizations.ts';
import type { Variant } from './process.ts';

export const buildFolder = join(import.meta.dirname, '.build');

const unprimed = defaultOptimizations.filter((name) => name !== 'primed');
const ours = [
  ['space-files', 'space-files', unprimed],
  ['space-files-cached', 'space-files, code cache', [...unprimed, 'code-cache']],
  ['space-files-primed', 'space-files, primed', defaultOptimizations],
  ['space-files-primed-cached', 'space-files, primed, code cache', [...defaultOptimizations, 'code-cache']],
] as const;

/** The names of the peers by their file in peers/: the base of every ratio, the lower bound, and the packages. */
const peers = {
  plain: 'plain handler',
  'lower-bound': 'lower bound',
  powertools: 'Powertools event handler',
  hono: 'Hono',
  express: 'Express + serverless-http',
  electrodb: 'ElectroDB',
  'dynamodb-toolbox': 'DynamoDB-Toolbox',
  'lambda-api': 'Lambda API',
};

const buildOurs = async ([id, name, optimizations]: readonly [string, string, readonly Optimization[]]) => {
  const bundle = join(buildFolder, id, 'update-file.cjs');
  const { files } = await buildBundle({ optimizations, file: bundle });
  return { id, name, file: files.find((path) => path.endsWith('.mjs')) ?? bundle };
};

/** With the options of our bundle, but without its optimizations. */
const buildPeer = async ([id, name]: readonly [string, string]) => {
  const file = join(buildFolder, id, 'handler.cjs');
  await build({
    ...bundleOptions([]),
    entryPoints: [join(import.meta.dirname, 'peers', `${id}.ts`)],
    outfile: file,
    // Optional packages of Lambda API, for its file helpers.
    external: ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'],
  });
  return { id, name, file };
};

/** Builds every variant below bench/.build. */
export const buildVariants = async (): Promise<readonly Variant[]> => {
  await rm(buildFolder, { recursive: true, force: true });
  const variants: Variant[] = [];
  // One after the other: the build of the project ends the process of esbuild.
  for (const form of ours) variants.push(await buildOurs(form));
  for (const peer of Object.entries(peers)) variants.push(await buildPeer(peer));
  return variants;
};
