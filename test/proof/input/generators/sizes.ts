import { pick } from '#test/proof/support/random.ts';
import { answer, type BadRequest, type Generator, generators } from '../support/generator.ts';
import { asBody, int } from '../support/text.ts';

const LIMIT = 131_072;
const MEGABYTES = 6_000_000;

type Random = () => number;

const tooLarge = (random: Random, json: string): BadRequest => ({
  ...asBody(random, json),
  expected: [answer.tooLarge],
});
const type = '400 summary must be a string or null';
const unknown = (name: string) => `Unknown field "${name}"; editable fields are summary, documentKind`;
const manyKeys = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`;
const fiveUnknown = `400 ${[0, 1, 2, 3, 4].map((n) => unknown(`k${n}`)).join('; ')}`;

/** As big as the limit lets through: parsed, and refused all the same. */
const underTheLimit: Readonly<Record<string, Generator['make']>> = {
  'an array as deep as the limit': ({ random }) => {
    const depth = int(random, 10_000, 65_000);
    return { ...asBody(random, `{"summary":${'['.repeat(depth)}${']'.repeat(depth)}}`), expected: [type] };
  },
  'an object as deep as the limit': ({ random }) => {
    const depth = int(random, 5_000, 21_000);
    const json = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    return { ...asBody(random, json), expected: [`400 ${unknown('a')}`] };
  },
  'as many keys as the limit': ({ random }) => ({
    ...asBody(random, manyKeys(int(random, 5_000, 13_000))),
    expected: [fiveUnknown],
  }),
  'a number as long as the limit': ({ random }) => ({
    ...asBody(random, `{"summary":${'9'.repeat(int(random, 100_000, 131_000))}}`),
    expected: [type],
  }),
  'a name as long as the limit': ({ random }) => {
    const letter = pick(random, ['n', 'ñ', '😀']);
    const name = letter.repeat(30_000);
    return { ...asBody(random, `{"${name}":1}`), expected: [`400 ${unknown(letter.repeat(64))}`] };
  },
  'escapes as many as the limit': ({ random }) => ({
    ...asBody(random, `{"documentKind":"${pick(random, ['\\\\', '\\"', '\\n']).repeat(60_000)}"}`),
    expected: ['400 documentKind must be at most 256 characters'],
  }),
  'brackets and colons in a string': ({ random }) => ({
    ...asBody(random, `{"documentKind":"${pick(random, [':', '{', '}:', '[:', ',']).repeat(60_000)}"}`),
    expected: ['400 documentKind must be at most 256 characters'],
  }),
  'brackets that are never closed': ({ random }) => ({
    ...asBody(random, pick(random, ['[', '{"a":', '[{"a":']).repeat(20_000)),
    expected: [answer.notJson],
  }),
  'a string that is never closed': ({ random }) => ({
    ...asBody(random, `{"summary":"${pick(random, ['a', '\\\\', '\\u0041', 'é']).repeat(20_000)}`),
    expected: [answer.notJson],
  }),
  'one byte over the limit': ({ random }) => tooLarge(random, `{"summary":"a"}${' '.repeat(LIMIT + 1 - 15)}`),
  'bytes over the limit in few characters': ({ random }) =>
    tooLarge(random, `{"summary":"${'é'.repeat(65_536)}"}`),
};

const ofMegabytes: Readonly<Record<string, Generator['make']>> = {
  brackets: ({ random }) => tooLarge(random, pick(random, ['[', '{', '{"a":', '[{']).repeat(1_000_000)),
  digits: ({ random }) => tooLarge(random, '9'.repeat(int(random, LIMIT + 1, MEGABYTES))),
  'a string': ({ random }) =>
    tooLarge(random, `{"summary":"${pick(random, ['a', 'é', '😀']).repeat(1_400_000)}"}`),
  keys: ({ random }) => tooLarge(random, manyKeys(400_000)),
  'white space': ({ random }) => tooLarge(random, `${' '.repeat(MEGABYTES)}{}`),
  'zero bytes': ({ random }) => tooLarge(random, '\0'.repeat(MEGABYTES)),
  escapes: ({ random }) => tooLarge(random, `{"summary":"${'\\u0041'.repeat(900_000)}"}`),
  'lone surrogates': () => ({ body: '\ud800'.repeat(1_500_000), expected: [answer.tooLarge] }),
  'base64 that is none': () => ({
    body: '!'.repeat(MEGABYTES),
    isBase64Encoded: true,
    expected: [answer.tooLarge],
  }),
  'padding alone': () => ({
    body: '='.repeat(MEGABYTES),
    isBase64Encoded: true,
    expected: [answer.tooLarge],
  }),
};

export const sizeGenerators: readonly Generator[] = [
  ...generators('size', underTheLimit, { heavy: true }),
  ...generators('megabytes of', ofMegabytes, { heavy: true }),
];
