import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#tools/project.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

test.each(globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot, exclude: ['CHANGELOG.md'] }))(
  'every file and folder that %s names exists',
  (page) => {
    const own = /(?<=[\s`])(?:handlers|lib|tools|events|test|bench|docs|\.github|\.ci)\/[\w./*-]*[\w*]/g;
    const text = read(page);
    const exists = (path: string) => globSync(`${path}*`, { cwd: projectRoot }).length > 0;
    expect([...new Set(text.match(own))].filter((path) => !exists(path))).toEqual([]);
  },
);

const sources = [
  '{handlers,lib,tools,test,bench}/**/*.{ts,mjs,yaml,json}',
  '*.{yml,yaml,json,ts}',
  '.github/**/*.yml',
];
const words = new Set(
  globSync(sources, { cwd: projectRoot }).flatMap((file) => read(file).match(/\w+/g) ?? []),
);
/** Names of other products, and of what a reader writes. */
const foreign = [
  'putItem',
  'deleteItem',
  'sequenceDiagram',
  'provisionedConcurrency',
  'binaryMediaTypes',
  'templateFile',
  'oneOf',
];

// So a name that was changed in the code is red on each page that still has the old one. The lane `client` runs docs/client.md.
test.each(
  globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot, exclude: ['CHANGELOG.md', 'docs/client.md'] }),
)('the code has each name in camel case of %s', (page) => {
  const names = read(page).match(/(?<![\w./-])[a-z]+[A-Z][A-Za-z]*\b/g) ?? [];
  expect([...new Set(names)].filter((name) => !words.has(name) && !foreign.includes(name))).toEqual([]);
});
