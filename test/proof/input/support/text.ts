import { pick } from '#test/proof/support/random.ts';

type Random = () => number;

/** A whole number from `least` to `most`. */
export const int = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

/** That many of the given pieces, in a row. */
export const row = (random: Random, length: number, pieces: readonly [string, ...string[]]): string =>
  Array.from({ length }, () => pick(random, pieces)).join('');

const letters: readonly [string, ...string[]] = ['a', 'b', 'k', 'z', 'A', 'Q', '0', '7', '_', '-', '.'];

/** Letters, digits, and what ids are made of. */
export const word = (random: Random, length = int(random, 1, 24)): string => row(random, length, letters);

const blanks: readonly [string, ...string[]] = [' ', '\t', '\u00a0', '\u200b', '\u2003', '\ufeff', '\u2060'];

/** Only what cannot be seen. */
export const blank = (random: Random, length = int(random, 1, 40)): string => row(random, length, blanks);

/** A character no id may hold. */
// biome-ignore format: a table
export const forbiddenInIds: readonly [string, ...string[]] = [
  ' ', ',', '\t', '\n', '\r\n', '\0', '\u001b', '\u007f', '\u0085', '\u00a0', '\u200b', '\u202e', '\u2028', '\ufeff',
];

const planes: readonly [readonly [number, number], ...(readonly [number, number])[]] = [
  [0x21, 0x7e],
  [0xa1, 0x17f],
  [0x370, 0x5ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0x1f300, 0x1faff],
  [0x20000, 0x2a6df],
];

/** Well-formed text of many scripts, without quotes and backslashes. */
export const unicode = (random: Random, length = int(random, 1, 30)): string =>
  Array.from({ length }, () => {
    const [first, last] = pick(random, planes);
    return String.fromCodePoint(int(random, first, last));
  })
    .join('')
    .replace(/["\\]/g, '_');

/** Half of a character outside the basic plane. */
export const loneSurrogate = (random: Random): string =>
  String.fromCharCode(random() < 0.5 ? int(random, 0xd800, 0xdbff) : int(random, 0xdc00, 0xdfff));

/** The same letters, each in a case of its own. */
export const anyCase = (random: Random, text: string): string =>
  [...text].map((letter) => (random() < 0.5 ? letter.toUpperCase() : letter.toLowerCase())).join('');

/** The text with something put into it, anywhere. */
export const insert = (random: Random, text: string, inserted: string): string => {
  const at = int(random, 0, text.length);
  return text.slice(0, at) + inserted + text.slice(at);
};

/** The text as a body that API Gateway hands over as it is, or as base64. */
export const asBody = (random: Random, text: string) =>
  text.isWellFormed() && random() < 0.3
    ? { body: Buffer.from(text).toString('base64'), isBase64Encoded: true }
    : { body: text, isBase64Encoded: false };
