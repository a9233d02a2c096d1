import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';

const PackageSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.object({ name: z.string() }).transform(({ name }) => name), z.string()]).optional(),
});

const read = (...path: readonly string[]) => readFileSync(join(projectRoot, ...path), 'utf8');
/** For packages that leave out the text of their licence. It is the same everywhere, after the name of the author. */
const standardTexts = new Map([
  ['MIT', read('LICENSE').replace(/^[\s\S]*?(?=Permission )/, '')],
  ['Apache-2.0', read('node_modules', '@smithy', 'types', 'LICENSE')],
]);

const textOf = (folder: string, { name, license, author = '' }: z.infer<typeof PackageSchema>): string => {
  const file = ['LICENSE', 'LICENSE.txt', 'LICENSE.md'].find((known) => existsSync(join(folder, known)));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim();
  const standard = standardTexts.get(license);
  if (standard === undefined) throw new Error(`${name} has no licence text`);
  return `${license}\n\nCopyright (c) ${author}\n\n${standard.trim()}`;
};

/** The licence texts of all packages in a bundle: licences require that each copy has them. */
export const licensesOf = ({ outputs }: Metafile): string => {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path]?.bytesInOutput),
  );
  const folders = new Set(
    files
      .map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
      .filter((path) => path !== undefined),
  );
  const packagesByText = new Map<string, string[]>();
  for (const folder of [...folders].map((path) => join(projectRoot, path)).sort()) {
    const found = PackageSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    const text = textOf(folder, found);
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), `${found.name} ${found.version}`]);
  }
  return [...packagesByText]
    .map(([text, packages]) => `${packages.join('\n')}\n\n${text}\n`)
    .join(`\n${'='.repeat(80)}\n\n`);
};
