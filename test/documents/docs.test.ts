import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { roles, updateFiles } from '#lib/domain/api-key.ts';
import { projectRoot } from '#tools/project.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

test('docs/contract.md names each role, and whether it may update', () => {
  const inCode = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const others = roles.filter((role) => !updateFiles.roles.includes(role));
  expect(read('docs/contract.md')).toContain(
    `These roles grant \`files:update\`: ${inCode(updateFiles.roles)}. These roles do not: ${inCode(others)}.`,
  );
});

test.each(globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot, exclude: ['CHANGELOG.md'] }))(
  'every file and folder that %s names exists',
  (page) => {
    const own = /(?<=[\s`])(?:handlers|lib|tools|events|test|bench|docs|\.github|\.ci)\/[\w./*-]*[\w*]/g;
    const text = read(page);
    const exists = (path: string) => globSync(`${path}*`, { cwd: projectRoot }).length > 0;
    expect([...new Set(text.match(own))].filter((path) => !exists(path))).toEqual([]);
  },
);
