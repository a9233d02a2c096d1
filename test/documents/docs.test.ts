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

test('the rule for secret scanners finds the keys that npm run api-key creates', () => {
  const rule = new RegExp(/^regex = '''(.+)'''$/m.exec(read('.gitleaks.toml'))?.[1] ?? '');
  expect(rule.exec(`key: "${generateKey()}"`)?.[0]).toHaveLength(53);
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
