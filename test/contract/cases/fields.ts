import { type Case, type Group, invalid, one, unknownField, updated } from '../case.ts';

type Row = readonly [name: string, body: string, message: string];
const toCase = ([name, body, message]: Row): Case => one(name, { body }, invalid(message));

const readOnly = {
  id: '"3f2b8c1e"',
  originalName: '"new.pdf"',
  language: '"fr"',
  domain: '"it"',
  chunksCount: '1',
  charactersCount: 'null',
  tags: '[{"key":"k","value":"v","aiExtracted":false}]',
};
const others = [
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
const duplicate = (field: string) => `Duplicate field "${field}"`;
const wrongType = (field: string) => `${field} must be a string or null`;

/** Bodies that also have an editable field: nothing of them may be written. */
const names: readonly Row[] = [
  ['An empty object is rejected', '{}', 'At least one of summary, documentKind must be provided'],
  ['A duplicate summary is rejected', '{"summary":"A","summary":"B"}', duplicate('summary')],
  [
    'A duplicate summary with the same value is rejected',
    '{"summary":"A","summary":"A"}',
    duplicate('summary'),
  ],
  [
    'A duplicate documentKind is rejected',
    '{"documentKind":null,"documentKind":"a"}',
    duplicate('documentKind'),
  ],
  [
    'A duplicate name with an escape is rejected',
    '{"summary":"A","s\\u0075mmary":"B"}',
    duplicate('summary'),
  ],
  ['A duplicate unknown field is rejected as duplicate', '{"y":1,"summary":"A","y":2}', duplicate('y')],
  [
    'A duplicate name inside a value is not a duplicate field',
    '{"y":{"a":1,"a":2},"summary":"A"}',
    unknownField('y'),
  ],
  ...Object.entries(readOnly).map(
    ([field, value]): Row => [
      `The field ${field} is read-only`,
      `{"summary":"A","${field}":${value}}`,
      `Field "${field}" is not editable`,
    ],
  ),
  ...[...others, ...inherited, ''].map(
    (field): Row => [
      `The field "${field}" is unknown`,
      `{"summary":"A","${field}":"B"}`,
      unknownField(field),
    ],
  ),
  ['An inherited name with an object is unknown', '{"__proto__":{"summary":"A"}}', unknownField('__proto__')],
  ['A long name is cut at 64 characters', `{"${'n'.repeat(65)}":1}`, unknownField('n'.repeat(64))],
  ['The cut counts code points', `{"${'😀'.repeat(70)}":1}`, unknownField('😀'.repeat(64))],
  [
    'Deep nesting is a value like any other',
    `{"summary":"A","deep":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    unknownField('deep'),
  ],
  [
    'Problems have the order of the body, also for numbers',
    '{"2":1,"tags":[],"1":1,"summary":"A"}',
    `${unknownField('2')}; Field "tags" is not editable; ${unknownField('1')}`,
  ],
  [
    'At most five problems are reported',
    '{"a":1,"summary":1,"b":1,"documentKind":1,"c":1,"d":1}',
    [
      unknownField('a'),
      wrongType('summary'),
      unknownField('b'),
      wrongType('documentKind'),
      unknownField('c'),
    ].join('; '),
  ],
];

export const fieldNames: Group = { title: 'Names of fields', cases: names.map(toCase) };

const fields = ['summary', 'documentKind'];
const otherTypes = ['true', 'false', '0', '12.5', '[]', '["A"]', '{}', '{"text":"A"}'];
const surrogates = ['\\ud83d', 'A\\ud83d', '\\udc4bA', '\\udc4b\\ud83d', '\\ud83d\\u0041'];

const values: readonly Row[] = [
  ...fields.flatMap((field) =>
    otherTypes.map((json): Row => [`${field} cannot be ${json}`, `{"${field}":${json}}`, wrongType(field)]),
  ),
  ...fields.flatMap((field) =>
    surrogates.map(
      (json): Row => [
        `${field} cannot have "${json}"`,
        `{"${field}":"${json}"}`,
        `${field} contains invalid Unicode`,
      ],
    ),
  ),
  [
    'Nothing is written when one of two fields is not valid',
    '{"summary":"A","documentKind":7}',
    wrongType('documentKind'),
  ],
  [
    'Both fields are reported when neither is valid',
    `{"documentKind":[],"summary":"${'a'.repeat(10_001)}"}`,
    `${wrongType('documentKind')}; summary must be at most 10000 characters`,
  ],
];

export const fieldValues: Group = { title: 'Values of fields', cases: values.map(toCase) };

const letters = { letters: 'a', 'accented letters': 'é', 'letters of four bytes': '𝒜' };
const lengths = (field: string, limit: number, after: (value: string) => ReturnType<typeof updated>) =>
  Object.entries(letters).flatMap(([what, letter]) => [
    one(
      `${field} accepts ${limit} ${what}`,
      { body: JSON.stringify({ [field]: letter.repeat(limit) }) },
      after(letter.repeat(limit)),
    ),
    one(
      `${field} rejects ${limit + 1} ${what}`,
      { body: JSON.stringify({ [field]: letter.repeat(limit + 1) }) },
      invalid(`${field} must be at most ${limit} characters`),
    ),
  ]);

export const fieldLengths: Group = {
  title: 'Lengths of fields',
  cases: [
    ...lengths('summary', 10_000, (value) => updated(value, 'before')),
    ...lengths('documentKind', 256, (value) => updated('Before.', value)),
  ],
};
