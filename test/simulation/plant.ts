import { mkdir, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** A change of the code: `code` occurs exactly once in `file` and is replaced. */
export type PlantedBug = { readonly file: string; readonly code: string; readonly bug: string };

const root = new URL('../../', import.meta.url);
const folder = new URL('node_modules/.simulation/', root);

/** The real code with bugs, loaded beside it. Throws when the code that a bug replaces is not there once. */
export const plant = async (name: string, bugs: readonly PlantedBug[]) => {
  const left = new Set(bugs);
  const { outputFiles } = await build({
    absWorkingDir: root.pathname,
    entryPoints: ['test/simulation/operation.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [
      {
        name: 'plant',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/(lib|handlers)\/.*\.ts$/ }, async ({ path }) => {
            const { readFile } = await import('node:fs/promises');
            let contents = await readFile(path, 'utf8');
            for (const planted of bugs.filter(({ file }) => path.endsWith(`/${file}`))) {
              if (contents.split(planted.code).length !== 2)
                throw new Error(`${planted.file} does not hold once: ${planted.code}`);
              contents = contents.replace(planted.code, () => planted.bug);
              left.delete(planted);
            }
            return { contents, loader: 'ts' };
          }),
      },
    ],
  });
  if (left.size > 0) throw new Error(`not planted: ${[...left].map(({ file }) => file).join(', ')}`);
  await mkdir(folder, { recursive: true });
  const file = new URL(`${name.replace(/\W+/g, '-')}.mjs`, folder);
  await writeFile(file, outputFiles[0]?.contents ?? '');
  const operation: typeof import('./operation.ts') = await import(pathToFileURL(file.pathname).href);
  return operation;
};
