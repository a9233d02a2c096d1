import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorsOf, linksOf } from './markdown.ts';

const isElsewhere = (link: string) => /^[a-z]+:/i.test(link);

/** The links of a page that lead to no file or to no heading; those to other sites are not followed. */
export const brokenLinks = (root: string, page: string): string[] =>
  linksOf(readFileSync(join(root, page), 'utf8')).filter((link) => {
    if (isElsewhere(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(root, page) : join(root, dirname(page), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
  });
