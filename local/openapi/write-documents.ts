import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedDocuments } from './documents.ts';

/** The generated documents below `root` that are not as they should be, with what they should hold. */
export const staleDocuments = (root: string): ReadonlyMap<string, string> => {
  const documents = generatedDocuments.map(({ path, render }) => {
    const file = join(root, path);
    const current = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return { path, current, content: render(current) };
  });
  const stale = documents.filter(({ current, content }) => current !== content);
  return new Map(stale.map(({ path, content }) => [path, content]));
};

/** Writes the documents below `root` that are stale. Returns their paths. */
export const writeDocuments = (root: string): readonly string[] => {
  const stale = staleDocuments(root);
  for (const [path, content] of stale) writeFileSync(join(root, path), content);
  return [...stale.keys()];
};
