import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildBundle } from '../tools/build/bundle.ts';
import { defaultOptimizations } from '../tools/build/optimizations.ts';
import type { Variant } from './process.ts';

const folder = join(import.meta.dirname, '.build');

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
  'aws-lite': 'aws-lite',
};

const unprimed = defaultOptimizations.filter((name) => name !== 'primed');
const ours = [
  ['space-files', 'space-files', unprimed],
  ['space-files-cached', 'space-files, code cache', [...unprimed, 'code-cache']],
  ['space-files-primed', 'space-files, primed', defaultOptimizations],
  ['space-files-primed-cached', 'space-files, primed, code cache', [...defaultOptimizations, 'code-cache']],
] as const;

/** Builds every variant below bench/.build: ours as `npm run build` does, the peers as a careful team would. */
export const buildVariants = async (): Promise<readonly Variant[]> => {
  await rm(folder, { recursive: true, force: true });
  const variants: Variant[] = [];
  // One after the other: the build of the project ends the process of esbuild.
  for (const [id, name, optimizations] of ours) {
    const bundle = join(folder, id, 'update-file.cjs');
    const { files } = await buildBundle({ optimizations, file: bundle });
    variants.push({ id, name, file: files.find((path) => path.endsWith('.mjs')) ?? bundle });
  }
  for (const [id, name] of Object.entries(peers)) variants.push(await buildPeer(id, name));
  return variants;
};

const buildPeer = async (id: string, name: string): Promise<Variant> => {
  const file = join(folder, id, 'handler.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'peers', `${id}.ts`)],
    outfile: file,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    // It loads faster than an ES module, which is in favour of the peers.
    format: 'cjs',
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'silent',
    // Optional packages of Lambda API, for its file helpers.
    external: ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'],
  });
  return { id, name, file };
};
