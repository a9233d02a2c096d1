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
  const file = join(folder, 'LICENSE');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const standard = standardTexts.get(license);
  if (standard === undefined) throw new Error(`${name} has no licence text`);
  return `${license}\n\nCopyright (c) ${author}\n\n${standard.trim()}`;
};

/** The licence texts of all packages in these bundles: licences require that each copy has them. */
export const licensesOf = (bundles: readonly Metafile[]): string => {
  const outputs = bundles.flatMap((bundle) => Object.values(bundle.outputs));
  const files = outputs.flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => inputs[path]?.bytesInOutput),
  );
  const folders = new Set(files.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  const packages = [...folders].sort().map((path) => {
    const folder = join(projectRoot, path);
    const found = PackageSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    return { label: `${found.name} ${found.version}`, text: textOf(folder, found) };
  });
  return [...Map.groupBy(packages, ({ text }) => text)]
    .map(([text, same]) => `${same.map(({ label }) => label).join('\n')}\n\n${text}\n`)
    .join(`\n${'='.repeat(80)}\n\n`);
};
