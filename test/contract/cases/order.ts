import {
  bodyTooLarge,
  type Case,
  denied,
  type Expected,
  encoded,
  fileChanged,
  fileNotFound,
  type Group,
  invalid,
  keyInvalid,
  notJsonType,
  one,
  type Sent,
  spaceNotFound,
  unknownField,
} from '../case.ts';

/** One mistake per check, in the order of the checks. */
const mistakes: readonly (readonly [what: string, send: Sent, expect: Expected])[] = [
  ['no user', { headers: { 'x-user-id': null } }, invalid('x-user-id is required')],
  ['a malformed tenant', { headers: { 'x-tenant-id': 'a b' } }, invalid('x-tenant-id is invalid')],
  ['an unknown key', { headers: { 'x-api-key': 'no-such-key' } }, keyInvalid],
  ['a key without permission', { headers: { 'x-api-key': '{apiKeys.viewer}' } }, denied],
  ['another media type', { headers: { 'content-type': 'text/plain' } }, notJsonType],
  ['an encoding', { headers: { 'content-encoding': 'br' } }, encoded],
  ['a body that is too large', { body: ' '.repeat(131_073) }, bodyTooLarge],
  ['no body', { body: null }, invalid('Request body is required')],
  ['an unknown field', { body: '{"x":1}' }, invalid(unknownField('x'))],
  ['an unknown space', { space: 'no-such-space' }, spaceNotFound],
  ['a private space', { space: '{spaces.private}' }, denied],
  ['an unknown file', { file: 'no-such-file' }, fileNotFound],
  ['a malformed If-Match', { headers: { 'if-match': 'x' } }, invalid('If-Match is invalid')],
  ['an old If-Match', { headers: { 'if-match': '"1"' } }, fileChanged],
];

const partsOf = ({ headers = {}, ...rest }: Sent) => [...Object.keys(headers), ...Object.keys(rest)];

const pairs = mistakes.flatMap(([first, firstSent, expect], index) =>
  mistakes.slice(index + 1).flatMap(([second, secondSent]): readonly Case[] => {
    // Two mistakes in the same part of a request exclude each other.
    if (partsOf(secondSent).some((part) => partsOf(firstSent).includes(part))) return [];
    const send = { ...firstSent, ...secondSent, headers: { ...firstSent.headers, ...secondSent.headers } };
    return [one(`Of ${first} and ${second}, the first is reported`, send, expect)];
  }),
);

const inBody: readonly (readonly [first: string, second: string, body: string, message: string])[] = [
  ['a duplicate', 'an unknown field', '{"x":1,"summary":"A","summary":"B"}', 'Duplicate field "summary"'],
  ['a duplicate', 'a wrong type', '{"summary":1,"summary":2}', 'Duplicate field "summary"'],
  ['malformed JSON', 'a duplicate', '{"summary":"A","summary":"B"', 'Request body is not valid JSON'],
  ['malformed JSON', 'a list', '[1,', 'Request body is not valid JSON'],
];

/** The first check that fails determines the response: two mistakes at once, for every pair of checks. */
export const order: Group = {
  title: 'Order of checks',
  cases: [
    ...pairs,
    ...inBody.map(([first, second, body, message]) =>
      one(`Of ${first} and ${second} in a body, the first is reported`, { body }, invalid(message)),
    ),
  ],
};
