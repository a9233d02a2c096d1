// A reference to a document leads somewhere: a link, and also a comment, a message or a workflow that names a page.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#tools/project.ts';

const { dirname, join } = posix;
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** Each line of .gitignore is the name or the path of a folder. */
const ignored = ['.git', ...(read('.gitignore').match(/.*[^/\n]/g) ?? [])];
/** The files that git has or would add. It is not asked, because a copy without history has the same documents. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (ignored.includes(entry.name) || ignored.includes(path)) return [];
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? path : [];
  });

/** The headings of a page. In a fenced block, # starts a comment. */
const headingsOf = (text: string) =>
  [...text.replace(/^ *```.*?^ *```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
/** The anchors that GitHub gives them. A second heading with the same text gets -1. */
const anchorsOf = (text: string) => {
  const slugs = headingsOf(text).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return slugs.map((slug, at) => {
    const earlier = slugs.slice(0, at).filter((other) => other === slug).length;
    return earlier === 0 ? slug : `${slug}-${earlier}`;
  });
};

const anchor = '#[\\p{L}\\p{M}\\p{N}\\p{Pc}-]+';
/** In any file, for example `docs/contract.md#request`, or `docs/contract.md, Request`. Also at the end of an address. */
const named = new RegExp(`(docs/(?:[\\w-]+/)*[\\w-]+\\.md)(${anchor}|, [A-Z][\\w -]*\\w)?`, 'gu');
/** In a page, the target of a link to a page or to a heading, for example `../contract.md#request` or `#request`. */
const linked = new RegExp(`(?<=\\]\\()([\\w./-]+\\.md)?(${anchor})?(?=\\))`, 'gu');

/** The references of a file to a page or a heading that does not exist. */
const brokenIn = (file: string, text: string): string[] => {
  const leadsNowhere = (page: string, ending = '') => {
    if (!existsSync(join(projectRoot, page))) return true;
    const target = read(page);
    const endings = [
      ...anchorsOf(target).map((one) => `#${one}`),
      ...headingsOf(target).map((one) => `, ${one}`),
    ];
    return ending !== '' && !endings.includes(ending);
  };
  const links = file.endsWith('.md') ? [...text.matchAll(linked)] : [];
  return [
    ...[...text.matchAll(named)].filter(([, page = '', ending]) => leadsNowhere(page, ending)),
    ...links.filter(([, page, ending]) =>
      leadsNowhere(page === undefined ? file : join(dirname(file), page), ending),
    ),
  ].map(([reference]) => reference);
};

test('each page and heading that a file refers to exists', () => {
  const broken = filesIn('').flatMap((file) => brokenIn(file, read(file)).map((one) => `${file}: ${one}`));
  expect(broken).toEqual([]);
});

// Written in parts, because this file is one of those above.
const page = 'docs/contract.md';
const missing = ['docs', 'nowhere.md'].join('/');
test.each([
  ['a.yml', `# Fine: ${page}#known-limits. Not: ${page}#known-limit.`, [`${page}#known-limit`]],
  ['a.ts', `/** Fine (${page}, Known limits). Not (${page}, Limits). */`, [`${page}, Limits`]],
  ['a.sh', `echo 'https://host/OWNER/REPO/blob/HEAD/${page}#nowhere'`, [`${page}#nowhere`]],
  ['a.sh', `# ${page} and ${missing}`, [missing]],
  ['docs/client.md', '[fine](contract.md#known-limits) [not](contract.md#nowhere)', ['contract.md#nowhere']],
  ['docs/decisions/001-at-most-once.md', '[fine](../contract.md) [not](contract.md)', ['contract.md']],
  [page, '[fine](#known-limits) [not](#nowhere)', ['#nowhere']],
])('in %s, %j has the broken references %j', (file, text, broken) => {
  expect(brokenIn(file, text)).toEqual(broken);
});

test('a heading has the anchor that GitHub gives it', () => {
  const text = '# Is `DynamoDB` slow?\n\n## x-user-id, 2.0\n\n```sh\n# comment\n```\n\n## x-user-id, 2.0\n';
  expect(anchorsOf(text)).toEqual(['is-dynamodb-slow', 'x-user-id-20', 'x-user-id-20-1']);
});
