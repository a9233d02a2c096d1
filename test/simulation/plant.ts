import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';

const BugsSchema = z.array(
  z.strictObject({
    bug: z.string(),
    foundBy: z.string(),
    /** The bug ends in a 500. Any other change that does is just broken code, which proves nothing. */
    endsIn500: z.boolean().default(false),
    changes: z.array(z.strictObject({ file: z.string(), code: z.string(), becomes: z.string() })),
  }),
);
type Bug = Pick<z.infer<typeof BugsSchema>[number], 'changes'>;
/** Bugs that a search must find. */
export const bugs = BugsSchema.parse(
  parse(readFileSync(new URL('planted-bugs.yaml', import.meta.url), 'utf8')),
);

/**
 * Writes a bundle of the real code with a bug for the test that runs, and returns its address. Throws when the code that
 * is to change is not in its file once.
 */
export const plant = async ({ changes }: Bug, entryPoint: string): Promise<URL> => {
  for (const { file, code } of changes) {
    const count = (await readFile(join(projectRoot, file), 'utf8')).split(code).length - 1;
    if (count !== 1)
      throw new Error(
        `test/simulation/planted-bugs.yaml quotes code that is ${count} times in ${file}. Quote it as it is now: ${code}`,
      );
  }
  const left = new Set(changes);
  const change = async (path: string) => {
    let contents = await readFile(path, 'utf8');
    for (const planted of changes.filter(({ file }) => path.endsWith(`/${file}`))) {
      contents = contents.replace(planted.code, () => planted.becomes);
      left.delete(planted);
    }
    return contents;
  };
  const { outputFiles } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [entryPoint],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    plugins: [
      {
        name: 'plant',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/(lib|handlers)\/.*\.ts$/ }, async ({ path }) => ({
            contents: await change(path),
            loader: 'ts',
          })),
      },
    ],
  });
  if (left.size > 0)
    throw new Error(
      `test/simulation/planted-bugs.yaml names a file that the operation does not import: ${[...left].map(({ file }) => file).join(', ')}`,
    );
  // In node_modules, the bundle finds its packages. The folder is new: another run in this checkout plants bugs too.
  const folder = mkdtempSync(join(projectRoot, 'node_modules', '.planted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bundle.mjs');
  await writeFile(file, outputFiles[0]?.contents ?? '');
  return pathToFileURL(file);
};
