import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { projectRoot } from '#tools/project.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const blocks = /^(`{3,})[\s\S]*?^\1/gm;

/** The anchors that GitHub gives to headings. The second of two equal ones ends in -1. */
const anchorsOf = (markdown: string): string[] => {
  const headings = [...markdown.replace(blocks, '').matchAll(/^#{1,6} +(.+)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
  return headings.map((anchor, place) => {
    const before = headings.slice(0, place).filter((other) => other === anchor).length;
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
};
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

test.each(globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot }))(
  'every link of %s has a target',
  (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  },
);

test('a broken link is found: to a file, to a heading of the page, to a heading of another page', () => {
  const page =
    '# Is it `here`?\n\n## One\n\n## One\n[a](gone.md) [b](#is-it-here) [c](#there) [d](#one-1) [e](#one-2)';
  const more =
    '\n[f](docs/operations.md#deploy) [g](docs/operations.md#two) `[h](i)`\n\n    [j](k)\n![l](m.svg)';
  expect(brokenLinks('README.md', page + more)).toEqual([
    ...['gone.md', '#there', '#one-2', 'docs/operations.md#two', 'm.svg'],
  ]);
});

describe('alarms in serverless.yml and docs/operations.md', () => {
  const ResourcesSchema = z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.unknown() }));
  const AlarmSchema = z.object({ AlarmName: z.string(), AlarmDescription: z.string() });
  const { resources } = z
    .object({ resources: z.object({ Resources: ResourcesSchema }) })
    .parse(parse(read('serverless.yml')));
  const alarms = Object.values(resources.Resources)
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .map(({ Properties }) => AlarmSchema.parse(Properties))
    // biome-ignore lint/suspicious/noTemplateCurlyInString: serverless.yml contains it.
    .map((alarm) => ({ ...alarm, name: alarm.AlarmName.replace('${self:service}-${sls:stage}-', '') }));
  const names = alarms.map(({ name }) => name);
  const sections = read('docs/operations.md').split(/^(?=## )/m);
  const section = (heading: string) => sections.find((text) => text.startsWith(`## ${heading}\n`)) ?? '';

  test('each alarm has one section, in the same order, and there are no others', () => {
    expect(names).toHaveLength(11);
    expect(anchorsOf(section('Alarms')).slice(1)).toEqual(names);
  });

  test('the first section lists each alarm with a link to its section', () => {
    expect(sections[1]).toBe(section('An alarm fired'));
    const rows = [...section('An alarm fired').matchAll(/^- \[([^\]]+)\]\(#\1\):/gm)];
    expect(rows.map(([, name]) => name)).toEqual(names);
  });

  test.each(alarms)(
    'the mail of $name gives a reason and links to its section',
    ({ name, AlarmDescription }) => {
      const [reason = '', link] = AlarmDescription.split(' What to do: ');
      expect(reason.length).toBeGreaterThan(80);
      expect(link).toBe(`docs/operations.md#${name}`);
    },
  );
});
