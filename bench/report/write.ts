import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toStableJson } from './json.ts';
import { readResults, VARIANTS_FILE } from './read.ts';
import type { Results } from './results.ts';

/**
 * Writes results into a folder, one JSON file each, and beside them what the variants are. What the run did not
 * measure keeps its file, and so does the description of a variant that it did not build.
 */
export const writeResults = (folder: string, { variants, measurements, growths }: Results): void => {
  mkdirSync(folder, { recursive: true });
  const known = new Map(
    [...readResults(folder).variants, ...variants].map((variant) => [variant.id, variant]),
  );
  const described = [...known.values()]
    .map(({ id, name, kind, form }) => ({ id, name, kind, form }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  writeFileSync(join(folder, VARIANTS_FILE), toStableJson(described));
  for (const result of [...measurements, ...growths])
    writeFileSync(join(folder, `${result.id}.json`), toStableJson(result));
};
