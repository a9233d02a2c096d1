import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#tools/project.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

test.each(globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: projectRoot, exclude: ['CHANGELOG.md'] }))(
  'every file and folder that %s names exists',
  (page) => {
    const own = /(?<=[\s`])(?:handlers|lib|tools|events|test|bench|docs|\.github|\.ci)\/[\w./*-]*[\w*]/g;
    const text = read(page);
    const exists = (path: string) => globSync(`${path}*`, { cwd: projectRoot }).length > 0;
    expect([...new Set(text.match(own))].filter((path) => !exists(path))).toEqual([]);
  },
);
