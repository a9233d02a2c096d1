import { pick } from '#test/proof/support/random.ts';
import { BIG_FILE_ID } from '#test/support/seed.ts';
import { answer, type BadRequest, type Generator, generators } from '../support/generator.ts';
import { blank, int, unicode } from '../support/text.ts';

const unreadable = (value: string): BadRequest => ({
  headers: { 'if-match': value },
  expected: [answer.ifMatch],
});
const elsewhere = (value: string): BadRequest => ({
  headers: { 'if-match': value },
  expected: [answer.changed],
});
const either = (value: string): BadRequest => ({
  headers: { 'if-match': value },
  expected: [answer.ifMatch, answer.changed],
});

/** A tag of ours that no fixture has: their version is 0. */
const tag = (random: () => number): string => `"${int(random, 1, 2 ** 53 - 1)}"`;
const tags = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => tag(random)).join(pick(random, [',', ', ', ' ,\t']));

export const ifMatchGenerators: readonly Generator[] = [
  ...generators('if-match', {
    unreadable: ({ random }) =>
      unreadable(
        // biome-ignore format: a table
        pick(random, [
          '', ' ', ',', '0', '"0', '0"', '*, "0"', '"0", *', '"0" "1"', 'w/"0"', 'W/', '"', "'0'", '"\u0000"', '"\u2028"', '**',
          '"0";', '"é", "\u0100"', '""0""', '"0",,x', 'W/ "0"', '<"0">', `${int(random, 0, 99)}`, 'null', '"a b"', '"0"\n"1"',
        ]),
      ),
    'blank or any text': ({ random }) => unreadable(random() < 0.5 ? blank(random) : `x${unicode(random)}`),
    'another version': ({ random }) => elsewhere(tag(random)),
    'a tag that is not ours': ({ random }) =>
      elsewhere(
        // biome-ignore format: a table
        pick(random, [
          '"00"', '"-0"', '"0x0"', '"1e3"', '"0.0"', '"a,b"', '""', 'W/"0"', '"9007199254740993"', '"99999999999999999999"',
          '"+0"', '"\u00ff"', '"Infinity"', '"__proto__"', '":version"', '"0,0"', '"#version"', '"{}"', `W/${tag(random)}`,
        ]),
      ),
    'a list of other versions': ({ random }) => elsewhere(tags(random, int(random, 2, 100))),
    'a list that is too long': ({ random }) => unreadable(tags(random, int(random, 101, 500))),
    'a list full of holes': ({ random }) =>
      elsewhere(`,, ,${tag(random)}${', ,\t'.repeat(int(random, 1, 500))}`),
    'commas to wade through': ({ random }) => unreadable(`${',\t '.repeat(int(random, 100, 5_000))}x`),
    'white space behind a tag': ({ random }) => unreadable(`"1"${' \t'.repeat(int(random, 100, 5_000))}x`),
    'a tag that never ends': ({ random }) => unreadable(`"${'a'.repeat(int(random, 100, 9_000))}`),
    'a file that is not there': ({ random }) => ({
      headers: { 'if-match': pick(random, ['*', '"0"', 'x', tag(random)]) },
      fileId: 'c0ffee00-0000-4000-8000-000000000000',
      expected: [answer.noFile],
    }),
    'a record near 400 KB': ({ random }) => ({
      headers: { 'if-match': pick(random, [undefined, '*', '"0"']) },
      fileId: BIG_FILE_ID,
      body: JSON.stringify({ summary: 's'.repeat(int(random, 6_000, 10_000)) }),
      expected: [answer.itemTooLarge],
    }),
  }),
  ...generators(
    'if-match',
    {
      'commas of megabytes': ({ random }) =>
        unreadable(`${pick(random, [',', ', ', '\t'])}${','.repeat(5_000_000)}x`),
      'white space of megabytes': ({ random }) =>
        unreadable(`${random() < 0.5 ? '"1"' : ''}${' '.repeat(int(random, 1_000_000, 5_000_000))}x`),
      'a tag of megabytes': ({ random }) =>
        either(`"${pick(random, ['a', ',', '\u00ff']).repeat(5_000_000)}${pick(random, ['"', ''])}`),
      'a hundred thousand tags': () => unreadable('"1",'.repeat(100_000)),
    },
    { heavy: true },
  ),
];
