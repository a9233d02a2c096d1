import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/processes.ts';
import { projectRoot } from '#tools/project.ts';
import { brokenLinks } from './support/broken-links.ts';
import { anchorsOf, linksOf } from './support/markdown.ts';

const pages = [
  ...readdirSync(projectRoot),
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' }).map((page) =>
    join('docs', page),
  ),
].filter((page) => page.endsWith('.md'));

test.each(pages)('every link of %s leads to a file and a heading', (page) => {
  expect(brokenLinks(projectRoot, page)).toEqual([]);
});

describe('a link that leads nowhere is found', () => {
  test('to a file, to a heading of the page, and to one of another', () => {
    const folder = temporaryFolder();
    try {
      writeFileSync(join(folder.path, 'other.md'), '# One\n\n## One\n');
      writeFileSync(
        join(folder.path, 'page.md'),
        '# Here\n[a](gone.md) [b](#here) [c](#there) [d](other.md#one-1) [e](other.md#two) [f](https://a.test/#x)\n',
      );
      expect(brokenLinks(folder.path, 'page.md')).toEqual(['gone.md', '#there', 'other.md#two']);
    } finally {
      folder.remove();
    }
  });

  test('headings are named as GitHub names them', () => {
    expect(
      anchorsOf('# What it costs when idle\n```\n# no\n```\n### `api-5xx-rate`\n## Is it fair?\n'),
    ).toEqual(['what-it-costs-when-idle', 'api-5xx-rate', 'is-it-fair']);
  });

  test('what stands in code is no link', () => {
    expect(linksOf('`[a](b)` [c](d)\n\n    [e](f)\n\n```\n[g](h)\n```\n![i](j.svg)\n')).toEqual([
      'd',
      'j.svg',
    ]);
  });
});
