import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';
import { generateKey } from '#tools/tables/api-keys-table.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import updated from '../../events/updated-rest.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const blocks = /^(`{3,})[\s\S]*?^\1/gm;

/** The anchors that GitHub gives to headings. It numbers equal ones, to which nothing should link. */
const anchorsOf = (markdown: string): string[] =>
  [...markdown.replace(blocks, '').matchAll(/^#{1,6} +(.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
/** Links of a page to files or headings that do not exist. Code is skipped, other sites are not followed. */
const brokenLinks = (page: string, markdown: string): string[] => {
  const text = markdown
    .replace(blocks, '')
    .replace(/^(?: {4}|\t).*$/gm, '')
    .replace(/(`+)(?!`)[\s\S]*?\1/g, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/i.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(projectRoot, target))) return true;
    return anchor !== undefined && !anchorsOf(target === page ? markdown : read(target)).includes(anchor);
  });
};

test.each(globSync(['*.md', 'client/*.md', 'docs/**/*.md'], { cwd: projectRoot }))(
  'every link of %s has a target',
  (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  },
);

test('the check finds a link to a missing file, and to a missing heading of this page or another one', () => {
  const page =
    '# Is it `here`?\n[a](gone.md) [b](#is-it-here) [c](#there) ![d](e.svg) `[f](g)`\n\n    [h](i)\n';
  const more = '[j](docs/operations.md#deploy) [k](docs/operations.md#two)';
  const broken = ['gone.md', '#there', 'e.svg', 'docs/operations.md#two'];
  expect(brokenLinks('README.md', page + more)).toEqual(broken);
});

test('all versions are the same, and CHANGELOG.md has a section for that version', () => {
  const { version } = packageJson;
  const ClientSchema = z.object({ version: z.string() });
  expect(ClientSchema.parse(JSON.parse(read('client/package.json'))).version).toBe(version);
  expect(/^ {2}version: (.+)$/m.exec(read('openapi.yaml'))?.[1]).toBe(version);
  expect(/^## (\S+) - \d{4}-\d\d-\d\d$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
});

test('docs/rest-api.yaml adds the route of serverless.yml and of events/updated-rest.json', () => {
  const { Resources } = parse(read('docs/rest-api.yaml'));
  const pathOf = ({ Ref }: { Ref: string }): string => {
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
