import type { Case, Group } from '../case.ts';
import { nothingGiven, refused } from './answers.ts';

/** A body that holds something editable too: a refusal writes none of it. */
const row = (name: string, body: string, message: string): Case => ({
  name,
  send: { body },
  expect: refused(400, message),
});

const unknown = (field: string) => `Unknown field "${field}"; editable fields are summary, documentKind`;
const readOnly = {
  id: '"3f2b8c1e"',
  originalName: '"new.pdf"',
  language: '"fr"',
  domain: '"it"',
  chunksCount: '1',
  charactersCount: 'null',
  tags: '[{"key":"k","value":"v","aiExtracted":false}]',
};
const strangers = [
  'x',
  'fileId',
  'version',
  'updatedBy',
  'Summary',
  'SUMMARY',
  ' summary',
  'summary ',
  'documentkind',
];
const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length'];

/** Row 4 of the contract's table, fifth: the names in the body. */
export const fieldNames: Group = {
  title: 'Names of fields',
  cases: [
    { name: 'An empty object is refused', send: { body: '{}' }, expect: nothingGiven },
    row(
      'A summary that stands twice is refused',
      '{"summary":"A","summary":"B"}',
      'Duplicate field "summary"',
    ),
    row(
      'A summary that stands twice alike is refused',
      '{"summary":"A","summary":"A"}',
      'Duplicate field "summary"',
    ),
    row(
      'A kind that stands twice is refused',
      '{"documentKind":null,"documentKind":"a"}',
      'Duplicate field "documentKind"',
    ),
    row(
      'A name repeated by an escape is refused',
      '{"summary":"A","s\\u0075mmary":"B"}',
      'Duplicate field "summary"',
    ),
    row(
      'An unknown field that stands twice is refused',
      '{"y":1,"summary":"A","y":2}',
      'Duplicate field "y"',
    ),
    row(
      'A repeated name inside of a value is no repeated field',
      '{"y":{"a":1,"a":2},"summary":"A"}',
      unknown('y'),
    ),
    ...Object.entries(readOnly).map(([field, value]) =>
      row(
        `The field ${field} is read-only`,
        `{"summary":"A","${field}":${value}}`,
        `Field "${field}" is not editable`,
      ),
    ),
    ...[...strangers, ...inherited].map((field) =>
      row(`The field "${field}" is unknown`, `{"summary":"A","${field}":"B"}`, unknown(field)),
    ),
    row('A field without a name is unknown', '{"summary":"A","":"B"}', unknown('')),
    row(
      'An inherited name with an object as its value is unknown',
      '{"__proto__":{"summary":"A"}}',
      unknown('__proto__'),
    ),
    row('A long name is cut at 64 characters', `{"${'n'.repeat(65)}":1}`, unknown('n'.repeat(64))),
    row('A cut counts characters', `{"${'😀'.repeat(70)}":1}`, unknown('😀'.repeat(64))),
    row(
      'Deep nesting is a value like any other',
      `{"summary":"A","deep":${'['.repeat(2000)}${']'.repeat(2000)}}`,
      unknown('deep'),
    ),
    row(
      'Fields are told in the order of the body, numbers too',
      '{"2":1,"tags":[],"1":1,"summary":"A"}',
      `${unknown('2')}; Field "tags" is not editable; ${unknown('1')}`,
    ),
    row(
      'At most five problems are told',
      '{"a":1,"summary":1,"b":1,"documentKind":1,"c":1,"d":1}',
      `${unknown('a')}; summary must be a string or null; ${unknown('b')}; documentKind must be a string or null; ${unknown('c')}`,
    ),
  ],
};
