import { kinds, unknownField } from '#test/support/fixtures.ts';
import { before, bodyCases, type Case, duplicate, invalidBody, rejected, textFields } from './case.ts';

const readOnly = {
  id: '"3f2b8c1e"',
  originalName: '"new.pdf"',
  language: '"fr"',
  domain: '"it"',
  chunksCount: '1',
  charactersCount: 'null',
  tags: '[{"key":"k","value":"v","aiExtracted":false}]',
};
const others = ['x', 'fileId', 'version', 'updatedBy', 'Summary', 'SUMMARY', ' summary', 'summary ', ''];
const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'toJSON', 'length'];
const otherTypes = ['true', 'false', '0', '12.5', '[]', '["A"]', '{}', '{"text":"A"}'];
const surrogates = ['\\ud83d', 'A\\ud83d', '\\udc4bA', '\\udc4b\\ud83d', '\\ud83d\\u0041'];
const letters = { letters: 'a', 'accented letters': 'é', 'letters of four bytes': '𝒜' };

const wrongType = (field: string) => `${field} must be a string or null`;
const inOrder = `${unknownField('2')}; Field "tags" is not editable; ${unknownField('1')}`;
const sixProblems = '{"a":1,"summary":1,"b":1,"tags":1,"c":1,"d":1}';
const five = [unknownField('a'), wrongType('summary'), unknownField('b'), 'Field "tags" is not editable'];
const both = `${wrongType('documentKind')}; summary must be at most 10000 characters`;
const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;

const lengths = (field: string, limit: number) =>
  Object.entries(letters).flatMap(([what, letter]) => {
    const longest = letter.repeat(limit);
    const after = { status: 200, file: { ...before, [field]: longest } };
    const tooLong = JSON.stringify({ [field]: longest + letter });
    return [
      ...bodyCases(after, { [`${field} accepts ${limit} ${what}`]: JSON.stringify({ [field]: longest }) }),
      invalidBody(
        `${field} rejects ${limit + 1} ${what}`,
        tooLong,
        `${field} must be at most ${limit} characters`,
      ),
    ];
  });

/** Most bodies also have an editable field: nothing of them may be written. */
export const fields: readonly Case[] = [
  ...bodyCases(rejected('patch-empty'), {
    'An empty object is rejected': '{}',
    'An empty object with white space is rejected': ' {\n}\t',
  }),
  ...bodyCases(duplicate('summary'), {
    'A duplicate summary is rejected': '{"summary":"A","summary":"B"}',
    'A duplicate of the same value is rejected': '{"summary":"A","summary":"A"}',
    'A duplicate with null is rejected': '{"summary":"A","summary":null}',
    'A duplicate name with an escape is rejected': '{"summary":"A","s\\u0075mmary":"B"}',
  }),
  ...bodyCases(duplicate('documentKind'), {
    'A duplicate documentKind is rejected': '{"documentKind":"","documentKind":""}',
  }),
  ...bodyCases(duplicate('y'), {
    'A duplicate unknown field is a duplicate': '{"y":1,"summary":"A","y":2}',
  }),
  ...bodyCases(duplicate('n'.repeat(64)), {
    'A long duplicate is cut at 64 characters': `{"${'n'.repeat(65)}":1,"${'n'.repeat(65)}":1}`,
  }),
  invalidBody(
    'A duplicate inside a value is allowed',
    '{"y":{"a":1,"a":2},"summary":"A"}',
    unknownField('y'),
  ),
  ...Object.entries(readOnly).map(([field, value]) => {
    const body = `{"summary":"A","${field}":${value}}`;
    return invalidBody(`The field ${field} is read-only`, body, `Field "${field}" is not editable`);
  }),
  ...[...others, 'documentkind', ...inherited].map((field) => {
    const body = `{"summary":"A","${field}":"B"}`;
    return invalidBody(`The field "${field}" is unknown`, body, unknownField(field));
  }),
  invalidBody(
    'An object as __proto__ is unknown',
    '{"__proto__":{"summary":"A"}}',
    unknownField('__proto__'),
  ),
  invalidBody('A long name is cut at 64 characters', `{"${'n'.repeat(65)}":1}`, unknownField('n'.repeat(64))),
  invalidBody('The cut counts code points', `{"${'😀'.repeat(70)}":1}`, unknownField('😀'.repeat(64))),
  invalidBody(
    'Deep nesting is a value like any other',
    `{"summary":"A","deep":${deep}}`,
    unknownField('deep'),
  ),
  invalidBody('Problems have the order of the body', '{"2":1,"tags":[],"1":1,"summary":"A"}', inOrder),
  invalidBody('At most five problems are reported', sixProblems, [...five, unknownField('c')].join('; ')),
  invalidBody(
    'At most five problems are reported, also if a field has two',
    `{"a":1,"b":1,"c":1,"d":1,"summary":"${'x'.repeat(10_000)}\\ud83d"}`,
    [...['a', 'b', 'c', 'd'].map(unknownField), 'summary must be at most 10000 characters'].join('; '),
  ),
  ...Object.entries(textFields).flatMap(([field, limit]) => [
    ...lengths(field, limit),
    ...bodyCases(
      { status: 200, file: { ...before, [field]: null } },
      { [`null removes ${field}`]: `{"${field}":null}` },
    ),
    ...otherTypes.map((json) =>
      invalidBody(`${field} cannot be ${json}`, `{"${field}":${json}}`, wrongType(field)),
    ),
    ...surrogates.map((json) => {
      const body = `{"${field}":"${json}"}`;
      return invalidBody(`${field} cannot have "${json}"`, body, `${field} contains invalid Unicode`);
    }),
  ]),
  invalidBody(
    'One invalid field rejects both',
    `{"summary":7,"documentKind":"${kinds[0]}"}`,
    wrongType('summary'),
  ),
  invalidBody(
    'Two invalid fields are both reported',
    `{"documentKind":[],"summary":"${'a'.repeat(10_001)}"}`,
    both,
  ),
];
