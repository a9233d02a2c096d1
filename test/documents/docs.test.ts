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

test('documents list the editable fields only where README.md says that a new one must be added', () => {
  const files = globSync(['*.{md,yaml,yml}', 'package.json', 'docs/**/*.{md,yaml}'], {
    cwd: projectRoot,
    exclude: (path) => /CHANGELOG|node_modules/.test(path),
  });
  const lists = /\b(two|both|three) (editable )?fields\b|\bsummary\W+(and\W+)?(the\W+)?document ?kind\b/gi;
  const found = files.flatMap((file) => Array.from(read(file).match(lists) ?? [], () => file));
  // Two messages in each, and the list of all fields. test/documents/openapi compares them with the code.
  const [page, description] = ['docs/contract.md', 'openapi.yaml'];
  expect(found.toSorted()).toEqual([page, page, page, description, description]);
  const [, steps = ''] = /^## Change something$(.*)/ms.exec(read('README.md')) ?? [];
  expect(found.filter((file) => !steps.includes(`\`${file}\``))).toEqual([]);
});
