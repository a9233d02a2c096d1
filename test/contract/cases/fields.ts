import { bodyCases, expected, type Groups, unknownField } from '../case.ts';

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
  '',
];
const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length'];
const otherTypes = ['true', 'false', '0', '12.5', '[]', '["A"]', '{}', '{"text":"A"}'];
const surrogates = ['\\ud83d', 'A\\ud83d', '\\udc4bA', '\\udc4b\\ud83d', '\\ud83d\\u0041'];

const duplicate = (field: string) => expected.invalid(`Duplicate field "${field}"`);
const unknown = (field: string) => expected.invalid(unknownField(field));
const wrongType = (field: string) => `${field} must be a string or null`;

const lengthCases = (
  field: string,
  limit: number,
  after: (value: string) => ReturnType<typeof expected.updated>,
) =>
  Object.entries({ letters: 'a', 'accented letters': 'é', 'letters of four bytes': '𝒜' }).flatMap(
    ([what, letter]) => [
      ...bodyCases(after(letter.repeat(limit)), {
        [`${field} accepts ${limit} ${what}`]: JSON.stringify({ [field]: letter.repeat(limit) }),
      }),
      ...bodyCases(expected.invalid(`${field} must be at most ${limit} characters`), {
        [`${field} rejects ${limit + 1} ${what}`]: JSON.stringify({ [field]: letter.repeat(limit + 1) }),
      }),
    ],
  );

/** Most bodies also have an editable field: nothing of them may be written. */
export const fields: Groups = {
  'Names of fields': [
    ...bodyCases(expected.invalid('At least one of summary, documentKind must be provided'), {
      'An empty object is rejected': '{}',
    }),
    ...bodyCases(duplicate('summary'), {
      'A duplicate summary is rejected': '{"summary":"A","summary":"B"}',
      'A duplicate summary with the same value is rejected': '{"summary":"A","summary":"A"}',
      'A duplicate name with an escape is rejected': '{"summary":"A","s\\u0075mmary":"B"}',
    }),
    ...bodyCases(duplicate('documentKind'), {
      'A duplicate documentKind is rejected': '{"documentKind":null,"documentKind":"a"}',
    }),
    ...bodyCases(duplicate('y'), {
      'A duplicate unknown field is a duplicate': '{"y":1,"summary":"A","y":2}',
    }),
    ...bodyCases(unknown('y'), {
      'A duplicate name inside a value is not a duplicate field': '{"y":{"a":1,"a":2},"summary":"A"}',
    }),
    ...Object.entries(readOnly).flatMap(([field, value]) =>
      bodyCases(expected.invalid(`Field "${field}" is not editable`), {
        [`The field ${field} is read-only`]: `{"summary":"A","${field}":${value}}`,
      }),
    ),
    ...[...others, ...inherited].flatMap((field) =>
      bodyCases(unknown(field), { [`The field "${field}" is unknown`]: `{"summary":"A","${field}":"B"}` }),
    ),
    ...bodyCases(unknown('__proto__'), {
      'An inherited name with an object is unknown': '{"__proto__":{"summary":"A"}}',
    }),
    ...bodyCases(unknown('n'.repeat(64)), {
      'A long name is cut at 64 characters': `{"${'n'.repeat(65)}":1}`,
    }),
    ...bodyCases(unknown('😀'.repeat(64)), { 'The cut counts code points': `{"${'😀'.repeat(70)}":1}` }),
    ...bodyCases(unknown('deep'), {
      'Deep nesting is a value like any other': `{"summary":"A","deep":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    }),
    ...bodyCases(
      expected.invalid(`${unknownField('2')}; Field "tags" is not editable; ${unknownField('1')}`),
      { 'Problems have the order of the body, also for numbers': '{"2":1,"tags":[],"1":1,"summary":"A"}' },
    ),
    ...bodyCases(
      expected.invalid(
        [
          unknownField('a'),
          wrongType('summary'),
          unknownField('b'),
          wrongType('documentKind'),
          unknownField('c'),
        ].join('; '),
      ),
      { 'At most five problems are reported': '{"a":1,"summary":1,"b":1,"documentKind":1,"c":1,"d":1}' },
    ),
  ],
  'Values of fields': [
    ...['summary', 'documentKind'].flatMap((field) => [
      ...otherTypes.flatMap((json) =>
        bodyCases(expected.invalid(wrongType(field)), {
          [`${field} cannot be ${json}`]: `{"${field}":${json}}`,
        }),
      ),
      ...surrogates.flatMap((json) =>
        bodyCases(expected.invalid(`${field} contains invalid Unicode`), {
          [`${field} cannot have "${json}"`]: `{"${field}":"${json}"}`,
        }),
      ),
    ]),
    ...bodyCases(expected.invalid(wrongType('documentKind')), {
      'Nothing is written when one of two fields is not valid': '{"summary":"A","documentKind":7}',
    }),
    ...bodyCases(expected.invalid(`${wrongType('documentKind')}; summary must be at most 10000 characters`), {
      'Both fields are reported when neither is valid': `{"documentKind":[],"summary":"${'a'.repeat(10_001)}"}`,
    }),
  ],
  'Lengths of fields': [
    ...lengthCases('summary', 10_000, (value) => expected.updated(value, 'before')),
    ...lengthCases('documentKind', 256, (value) => expected.updated('Before.', value)),
  ],
};
