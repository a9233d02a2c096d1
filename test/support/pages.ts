import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#tools/project.ts';

/** The text of a file of the project. */
export const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** The text of a page, whose sentences can be on several lines, on one line. */
const textOf = (path: string): string => read(path).replaceAll(/\s+/g, ' ');

/** Expects that a page has a sentence. The error does not print the page. */
export const expectSentence = (path: string, sentence: string): void => {
  if (!textOf(path).includes(sentence)) throw new Error(`${path} does not say: ${sentence}`);
};

/** Expects that nothing is wrong. The error has what is wrong in one line. */
export const expectNone = (wrong: readonly string[], what: string): void => {
  if (wrong.length > 0) throw new Error(`${what}: ${[...new Set(wrong)].join(', ')}`);
};

/**
 * The part of a page that a test uses: what the group of a pattern holds.
 *
 * @param part what a person must look for on the page
 * @throws {Error} naming the page and the part, if the page has none
 */
export const partOf = (path: string, pattern: RegExp, part: string): string => {
  const [, found] = pattern.exec(read(path)) ?? [];
  if (found !== undefined) return found;
  throw new Error(`${path} lacks ${part}. A test looks for it by ${pattern}.`);
};
