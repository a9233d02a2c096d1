import { pick } from '#test/proof/support/random.ts';
import { type BadRequest, type Generator, generators } from '../support/generator.ts';
import { anyCase, asBody, int, loneSurrogate, unicode, word } from '../support/text.ts';

type Random = () => number;

const editable: readonly [string, ...string[]] = ['summary', 'documentKind'];
const limits: Readonly<Record<string, number>> = { summary: 10_000, documentKind: 256 };
// biome-ignore format: a table
const readOnly: readonly [string, ...string[]] = [
  'id', 'originalName', 'language', 'domain', 'chunksCount', 'charactersCount', 'tags',
];
// biome-ignore format: a table
const languageNames: readonly [string, ...string[]] = [
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'then', 'length',
];
// biome-ignore format: a table
const storedNames: readonly [string, ...string[]] = [
  'spaceId', 'fileId', 'version', 'requestId', 'updatedBy', 'ownerId', 'tenantId', 'pk', '#summary', ':summary', 'S', '$set',
  'Summary', 'SUMMARY', 'summary ', 'document_kind', 'documentkind', 'summary.x', 'summary[0]', '', ' ', '0', '-1',
];

const cut = (name: string) => [...name].slice(0, 64).join('');
const unknown = (name: string) => `Unknown field "${cut(name)}"; editable fields are summary, documentKind`;
const notEditable = (name: string) => `Field "${name}" is not editable`;
const wrongType = (name: string) => `${name} must be a string or null`;

const bad = (random: Random, json: string, ...problems: readonly string[]): BadRequest => ({
  ...asBody(random, json),
  expected: [`400 ${problems.slice(0, 5).join('; ')}`],
});

/** A name as JSON may also write it. */
const spelled = (random: Random, name: string): string =>
  `"${[...name].map((letter) => (random() < 0.2 ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter)).join('')}"`;

/** Any JSON value but a string or null. */
const anyOther = (random: Random): string =>
  // biome-ignore format: a table
  pick(random, [
    '0', '-0', '1e999', '-1e999', '1.5', 'true', 'false', '[]', '{}', '["a"]', '{"S":"x"}', '{"NULL":true}', '{"M":{}}', '[null]',
    `${int(random, 0, 1e9)}`, '9'.repeat(int(random, 20, 400)), '{"__proto__":null}', '{"toString":"x"}', '[[[[[]]]]]',
    `{"summary":${JSON.stringify(unicode(random))}}`, '{"$ref":"#"}', '{"N":"1"}', '{"L":[]}', '{"length":3}',
  ]);

export const fieldGenerators: readonly Generator[] = generators('fields', {
  'read-only': ({ random }) => {
    const name = pick(random, readOnly);
    return bad(random, `{${spelled(random, name)}:${anyOther(random)}}`, notEditable(name));
  },
  unknown: ({ random }) => {
    const name = `x${unicode(random, int(random, 1, 120))}`;
    return bad(random, `{${JSON.stringify(name)}:"a"}`, unknown(name));
  },
  'unknown, of the store or nearly right': ({ random }) => {
    const name = pick(random, storedNames);
    return bad(random, `{${JSON.stringify(name)}:${anyOther(random)}}`, unknown(name));
  },
  'names of the language': ({ random }) => {
    const name = pick(random, languageNames);
    return bad(random, `{${spelled(random, name)}:${anyOther(random)},"summary":"a"}`, unknown(name));
  },
  'good ones beside one that is not': ({ random }) => {
    const name = pick(random, readOnly);
    const [first, second] =
      random() < 0.5 ? [`"${name}":1`, '"summary":"a"'] : ['"documentKind":null', `"${name}":1`];
    return bad(random, `{${first},${second}}`, notEditable(name));
  },
  'many problems': ({ random }) => {
    const names = Array.from({ length: int(random, 2, 12) }, (_, n) => `${word(random, 3)}${n}`);
    const problems = names.map(unknown);
    return bad(
      random,
      `{"summary":7,${names.map((name) => `"${name}":1`).join()}}`,
      wrongType('summary'),
      ...problems,
    );
  },
  'another type': ({ random }) => {
    const name = pick(random, editable);
    return bad(random, `{${spelled(random, name)}:${anyOther(random)}}`, wrongType(name));
  },
  'both of another type': ({ random }) => {
    const [first, second] = pick(random, [
      ['summary', 'documentKind'] as const,
      ['documentKind', 'summary'] as const,
    ]);
    const json = `{"${first}":${anyOther(random)},"${second}":${anyOther(random)}}`;
    return bad(random, json, wrongType(first), wrongType(second));
  },
  'the same one twice': ({ random }) => {
    const name = pick(random, [...editable, ...readOnly, '__proto__', 'x'] as const);
    const values = [pick(random, ['null', '"a"', '1']), pick(random, ['null', '"b"', '{}'])];
    const between = random() < 0.5 ? '' : '"other":{"summary":1,"summary":2},';
    const json = `{${spelled(random, name)}:${values[0]},${between}${spelled(random, name)}:${values[1]}}`;
    return bad(random, json, `Duplicate field "${name}"`);
  },
  'too long': ({ random }) => {
    const name = pick(random, editable);
    const length = (limits[name] ?? 0) + int(random, 1, 300);
    const text = pick(random, ['a', 'é', '😀', '\\n', '\\u0041']).repeat(length);
    return bad(random, `{"${name}":"${text}"}`, `${name} must be at most ${limits[name]} characters`);
  },
  'a lone surrogate': ({ random }) => {
    const name = pick(random, editable);
    const half = loneSurrogate(random);
    const written = random() < 0.5 ? half : `\\u${half.charCodeAt(0).toString(16)}`;
    return bad(random, `{"${name}":"${word(random)}${written}"}`, `${name} contains invalid Unicode`);
  },
  'too long and a lone surrogate': ({ random }) => {
    const json = `{"documentKind":"${'a'.repeat(int(random, 257, 400))}\\udc00"}`;
    const problems = ['must be at most 256 characters', 'contains invalid Unicode'];
    return bad(random, json, ...problems.map((problem) => `documentKind ${problem}`));
  },
  'another letter case': ({ random }) => {
    const name = anyCase(random, 'documentKinD').replace(/^documentKind$/, 'DOCUMENTKIND');
    return bad(random, `{"${name}":"a"}`, unknown(name));
  },
});
