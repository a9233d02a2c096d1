import {
  bodyCases,
  type Case,
  cases,
  type Expected,
  expected,
  type Sent,
} from '#test/requests/contract/case.ts';
import { fixture } from '#test/requests/contract/fixture.ts';
import { unknownField } from '#test/support/given.ts';

const { apiKeys, spaces } = fixture;

/** One mistake per check, in the order of the checks. */
const mistakes: readonly (readonly [what: string, send: Sent, expect: Expected])[] = [
  ['no user', { headers: { 'x-user-id': null } }, expected.invalid('x-user-id is required')],
  ['a malformed tenant', { headers: { 'x-tenant-id': 'a b' } }, expected.invalid('x-tenant-id is invalid')],
  ['an unknown key', { headers: { 'x-api-key': 'no-such-key' } }, expected.unknownKey],
  ['a key without permission', { headers: { 'x-api-key': apiKeys.viewer } }, expected.denied],
  ['another media type', { headers: { 'content-type': 'text/plain' } }, expected.notJsonType],
  ['an encoding', { headers: { 'content-encoding': 'br' } }, expected.encoded],
  ['a body that is too large', { body: ' '.repeat(131_073) }, expected.bodyTooLarge],
  ['no body', { body: null }, expected.invalid('Request body is required')],
  ['an unknown field', { body: '{"x":1}' }, expected.invalid(unknownField('x'))],
  ['an unknown space', { space: 'no-such-space' }, expected.noSpace],
  ['a private space', { space: spaces.private }, expected.denied],
  [
    'a malformed idempotency key',
    { headers: { 'idempotency-key': 'é' } },
    expected.invalid('Idempotency-Key is invalid'),
  ],
  ['a malformed If-Match', { headers: { 'if-match': 'x' } }, expected.invalid('If-Match is invalid')],
  ['an unknown file', { file: 'no-such-file' }, expected.noFile],
  ['an old If-Match', { headers: { 'if-match': '"1"' } }, expected.changed],
];

const partsOf = ({ headers = {}, ...rest }: Sent) => [...Object.keys(headers), ...Object.keys(rest)];

const pairs = mistakes.flatMap(([first, firstSent, expect], index) =>
  mistakes.slice(index + 1).flatMap(([second, secondSent]) => {
    // Two mistakes in the same part of a request exclude each other.
    if (partsOf(secondSent).some((part) => partsOf(firstSent).includes(part))) return [];
    const headers = { ...firstSent.headers, ...secondSent.headers };
    const name = `Of ${first} and ${second}, the first is reported`;
    return cases(expect, { [name]: { ...firstSent, ...secondSent, headers } });
  }),
);

/** The first check that fails determines the response: two mistakes at once, for every pair of checks. */
export const order: readonly Case[] = [
  ...pairs,
  ...bodyCases(expected.invalid('Duplicate field "summary"'), {
    'A duplicate is reported before an unknown field': '{"x":1,"summary":"A","summary":"B"}',
    'A duplicate is reported before a wrong type': '{"summary":1,"summary":2}',
  }),
  ...bodyCases(expected.invalid('Request body is not valid JSON'), {
    'Malformed JSON is reported before a duplicate': '{"summary":"A","summary":"B"',
    'Malformed JSON is reported before a list': '[1,',
  }),
];
