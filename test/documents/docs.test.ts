import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#tools/project.ts';
import { generateKey } from '#tools/tables/api-keys-table.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
test.each(globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot, exclude: ['CHANGELOG.md'] }))(
  'every file and folder that %s names exists',
  (page) => {
    const own = /(?<=[\s`])(?:handlers|lib|tools|events|test|bench|docs|\.github|\.ci)\/[\w./*-]*[\w*]/g;
    const text = read(page);
    const exists = (path: string) => globSync(`${path}*`, { cwd: projectRoot }).length > 0;
    // Or the page says that the reader writes it.
    const missing = [...new Set(text.match(own))].filter((path) => !exists(path));
    expect(missing.filter((path) => !text.includes(`Write \`${path}\``))).toEqual([]);
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

test('the rule for secret scanners finds the keys that npm run api-key creates', () => {
  const rule = new RegExp(/^regex = '''(.+)'''$/m.exec(read('.gitleaks.toml'))?.[1] ?? '');
  expect(rule.exec(`key: "${generateKey()}"`)?.[0]).toHaveLength(47);
  expect([`x${generateKey()}`, `${generateKey()}x`, 'sfk_'].filter((text) => rule.test(text))).toEqual([]);
});

test('secret scanners ignore the demo keys, and no key that npm run api-key creates', () => {
  const lists = [...read('.gitleaks.toml').matchAll(/^regexes = \['''(.+)'''\]$/gm)];
  const ignored = lists.map(([, regex = '']) => new RegExp(regex));
  expect(ignored).toHaveLength(2);
  const isIgnored = (key: string) => ignored.some((regex) => regex.test(key));
  expect(demo.apiKeys.map(({ key }) => [key, isIgnored(key)])).toEqual(
    demo.apiKeys.map(({ key }) => [key, true]),
  );
  const keys = [generateKey(), 'x demo-editor-key', 'demo-editor-key-2', `demo-${generateKey()}-key`];
  expect(keys.filter(isIgnored)).toEqual([]);
});
