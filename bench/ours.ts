import { join } from 'node:path';
import { buildBundle } from '../tools/build/bundle.ts';
import { defaultOptimizations, type Optimization } from '../tools/build/optimizations.ts';
import type { Variant } from './types.ts';

type Ours = Readonly<Record<string, { readonly name: string; readonly levers: readonly Optimization[] }>>;

const bundleLevers = defaultOptimizations.filter((lever) => lever !== 'primed');

/** Our function in every way that `npm run build` makes it, and as it would be on the SDK as it comes. */
const forms: Ours = {
  'space-files': { name: 'space-files', levers: bundleLevers },
  'space-files-primed': { name: 'space-files, primed', levers: defaultOptimizations },
  'space-files-cached': { name: 'space-files, code cache', levers: [...bundleLevers, 'code-cache'] },
  'space-files-primed-cached': {
    name: 'space-files, primed, code cache',
    levers: [...defaultOptimizations, 'code-cache'],
  },
  'space-files-plain-sdk': { name: 'space-files, SDK as it comes', levers: [] },
};

/** The bundle with all stand-ins, and without one at a time. */
const withoutOne: Ours = {
  all: { name: 'with all', levers: bundleLevers },
  ...Object.fromEntries(
    bundleLevers.map((left) => [
      left,
      { name: `without ${left}`, levers: bundleLevers.filter((lever) => lever !== left) },
    ]),
  ),
};

const buildAll = async (ours: Ours, folder: string): Promise<Variant[]> => {
  const variants: Variant[] = [];
  for (const [id, { name, levers }] of Object.entries(ours)) {
    const bundle = join(folder, id, 'update-file.cjs');
    const { files, bytes, gzipBytes } = await buildBundle({ optimizations: levers, file: bundle });
    const file = files.find((path) => path.endsWith('.mjs')) ?? bundle;
    variants.push({ id, name, kind: 'ours', form: 'equalised', file, bytes, gzipBytes });
  }
  return variants;
};

/** Builds our variants below a folder, by the build that is deployed. */
export const buildOurs = (folder: string): Promise<Variant[]> => buildAll(forms, folder);

/** Builds the bundle once for each stand-in that is left out; the variant's id is the lever's name. */
export const buildWithoutOne = (folder: string): Promise<Variant[]> => buildAll(withoutOne, folder);
