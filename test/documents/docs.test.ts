import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '#tools/project.ts';
import { generateKey } from '#tools/tables/api-keys-table.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import updated from '../../events/updated-rest.json' with { type: 'json' };
import { problemOf } from './lint/commitlint.config.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
test.each(globSync(['*.md', 'client/*.md', 'docs/**/*.md'], { cwd: projectRoot, exclude: ['CHANGELOG.md'] }))(
  'every file and folder that %s names exists',
  (page) => {
    const own =
      /(?<=[\s`])(?:handlers|lib|tools|client|events|test|bench|docs|\.github|\.ci)\/[\w./*-]*[\w*]/g;
    const text = read(page);
    const exists = (path: string) => globSync(`${path}*`, { cwd: projectRoot }).length > 0;
    // Or the page says that the reader writes it.
    const missing = [...new Set(text.match(own))].filter((path) => !exists(path));
    expect(missing.filter((path) => !text.includes(`Write \`${path}\``))).toEqual([]);
  },
);

test('docs/rest-api.yaml adds the route of serverless.yml and of events/updated-rest.json', () => {
  const { Resources } = parse(read('docs/rest-api.yaml'));
  const pathOf = (id: { Ref: string } | { 'Fn::If': [string, { Ref: string }, object] }): string => {
    // The path /v1, unless the API has it already.
    const { Ref } = 'Ref' in id ? id : id['Fn::If'][1];
    const { PathPart, ParentId } = Resources[Ref]?.Properties ?? {};
    return PathPart ? `${pathOf(ParentId)}/${PathPart}` : '';
  };
  const { HttpMethod, ResourceId } = Resources.UpdateFile.Properties;
  const path = pathOf(ResourceId);
  expect(read('serverless.yml')).toContain(`- httpApi: ${HttpMethod} ${path}\n`);
  expect([updated.httpMethod, updated.resource]).toEqual([HttpMethod, path]);
});

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

test.each<[subject: string, problem: string | undefined]>([
  ['docs: name the generators that cannot send null', undefined],
  ['docs-page: embed the page', undefined],
  ['name the generators', 'is not like "area: imperative sentence"'],
  ['docs:', 'is not like "area: imperative sentence"'],
  ['docs: Name the generators', 'begins with "Name", not with a verb in small letters'],
  ['test: a shorter search', 'begins with "a", not with a verb'],
  [
    'test: adds a case',
    'begins with "adds": write an order, like "add" in place of "adds", "added" or "adding"',
  ],
  ['test: pass it', undefined],
  ['test: sorted folders', expect.stringMatching(/^begins with "sorted": /)],
  ['test: sorting folders', expect.stringMatching(/^begins with "sorting": /)],
  ['test: sort the folders.', 'ends with a full stop'],
])('of the subject "%s" of a commit, CI says: %s', (subject, problem) => {
  expect(problemOf(subject)).toEqual(problem);
});

// Whoever copies the write would miss a file that is not in the list.
test('decision 001 lists each file of lib/store that the write needs, with all that it imports', () => {
  const page = read('docs/decisions/001-at-most-once.md');
  const rows = [...page.matchAll(/^\| `([\w-]+\.ts)` \| [^|]+ \| (.+) \|$/gm)];
  const listed = rows.map(([, file = '', needs = '']) => [
    file,
    [...needs.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).sort(),
    needs.startsWith('the files below, '),
  ]);
  // The write, and what it imports, without the read of keys and spaces.
  const access = 'read-access.ts';
  const files = ['update-file.ts'];
  for (const file of files)
    for (const [, name = ''] of read(`lib/store/${file}`).matchAll(/ from '\.\/([^']+)';$/gm))
      if (!files.includes(name) && name !== access) files.push(name);
  const imported = files.map((file) => {
    const from = [...read(`lib/store/${file}`).matchAll(/ from '([^']+)';$/gm)].map(([, name = '']) => name);
    const needs = from.map((name) =>
      name.replace(/^#lib/, 'lib').replace(/^\.\//, '').replace('@smithy/core/retry', '@smithy/core'),
    );
    const isWhole = file === 'update-file.ts';
    return [file, needs.filter((name) => !isWhole || ![access, ...files].includes(name)).sort(), isWhole];
  });
  expect(listed.toSorted()).toEqual(imported.toSorted());
});
