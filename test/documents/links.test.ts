// A comment, a message or a workflow that names a page leads somewhere. markdownlint checks the links in pages (.ci/run).
import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { read } from '#test/support/pages.ts';
import { projectRoot } from '#tools/project.ts';

const { join } = posix;

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

const headingsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
/** As GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

const anchor = '#[\\p{L}\\p{M}\\p{N}\\p{Pc}-]+';
/** In any file, for example `docs/contract.md#request`, or `docs/contract.md, Request`. Also at the end of an address. */
const named = new RegExp(`(docs/(?:[\\w-]+/)*[\\w-]+\\.md)(${anchor}|, [A-Z][\\w -]*\\w)?`, 'gu');

/** The references of a text to a page or a heading that does not exist. */
const brokenIn = (text: string): string[] =>
  [...text.matchAll(named)].flatMap(([reference, page = '', ending]) => {
    if (!existsSync(join(projectRoot, page))) return reference;
    const endings = headingsOf(read(page)).flatMap((heading) => [`#${anchorOf(heading)}`, `, ${heading}`]);
    return ending === undefined || endings.includes(ending) ? [] : reference;
  });

test('each page and heading that a file refers to exists', () => {
  const broken = filesIn('').flatMap((file) => brokenIn(read(file)).map((one) => `${file}: ${one}`));
  expect(broken).toEqual([]);
});

// Written in parts, because this file is one of those above.
const page = 'docs/contract.md';
const missing = ['docs', 'nowhere.md'].join('/');
test.each([
  [`# Fine: ${page}#known-limits. Not: ${page}#known-limit.`, [`${page}#known-limit`]],
  [`/** Fine (${page}, Known limits). Not (${page}, Limits). */`, [`${page}, Limits`]],
  [`# ${page} and ${missing}`, [missing]],
])('%j has the broken references %j', (text, broken) => {
  expect(brokenIn(text)).toEqual(broken);
});
