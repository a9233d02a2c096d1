/*
 * Corrects facts in a text that people write. Only the characters of a wrong fact change. Nothing is deleted: what has no
 * fact any more is for people to remove.
 */

/** Replaces the characters from `start` to `end`. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** What is to change in a document. Each sentence names the place. */
export type Findings = {
  readonly edits: Edit[];
  /** Facts that are wrong or absent. The edits correct them. */
  readonly stale: string[];
  /** What only people can correct. */
  readonly wrong: string[];
  /** Places where a sentence for readers is absent. */
  readonly wordless: string[];
};
export const noFindings = (): Findings => ({ edits: [], stale: [], wrong: [], wordless: [] });

/** The text after all edits. Two edits at one place keep their order. */
export const applyEdits = (text: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((a, b) => a.start - b.start)
    .reduceRight(
      (after, { start, end, text: new_ }) => after.slice(0, start) + new_ + after.slice(end),
      text,
    );

/** Words, in which `#` stands for a fact, and this fact: a number, or names in backticks. For example `['# bytes', 9]`. */
export type Phrase = readonly [words: string, fact: number | string];

const toSource = (words: string) =>
  words.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replace(/ +/g, String.raw`\s+`);
const toPattern = ([words, fact]: Phrase) => {
  const [before = '', after = ''] = words.split('#').map(toSource);
  // In `131,072 bytes`, 072 is no number.
  const number = before === '' ? String.raw`(?<![\d.,])(\d+)` : String.raw`(\d+)`;
  const place = typeof fact === 'number' ? number : '(`[^.]*`)';
  return new RegExp(before + place + after, 'dg');
};

/**
 * Corrects the fact of a phrase, whose words must occur exactly once. They can be on several lines.
 *
 * @param where the place, for people
 * @param from the position of `sentences` in the document
 */
export const correctPhrase = (
  findings: Findings,
  where: string,
  sentences: string,
  from: number,
  [words, fact]: Phrase,
): void => {
  const [found, ...others] = sentences.matchAll(toPattern([words, fact]));
  const [start, end] = found?.indices?.[1] ?? [0, 0];
  if (!found || others.length > 0)
    findings.wrong.push(`${where} must have this once: ${words.replace('#', `${fact}`)}`);
  else if (found[1] !== `${fact}`) {
    findings.stale.push(`${where}: ${found[1]} is ${fact} in the code`);
    findings.edits.push({ start: from + start, end: from + end, text: `${fact}` });
  }
};
