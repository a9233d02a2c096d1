import type { Bundle } from '#tools/build/bundle.ts';

/** The files of which something is in the bundle, by path from the project's folder. */
export const inputs = ({ metafile }: Bundle) =>
  Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path),
  );

/** The packages that these are of; `ours` for our own. */
export const packages = (of: Bundle) =>
  [
    ...new Set(inputs(of).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'ours')),
  ].sort();

/** The modules of Node that it loads. */
export const builtIns = ({ metafile }: Bundle) =>
  [
    ...new Set(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))),
  ].sort();
