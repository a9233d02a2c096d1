import type { ErrorCode } from '#lib/domain/errors.ts';
import { unknownField } from '#test/support/fixtures.ts';
import {
  bodyCases,
  type Case,
  cases,
  duplicate,
  type Expected,
  invalid,
  rejected,
  type Sent,
} from './case.ts';
import { fixture } from './fixture.ts';

const { apiKeys, spaces } = fixture;

/** One mistake per check, in the order of the checks. */
export const mistakes: readonly (readonly [what: string, send: Sent, expect: Expected])[] = [
  ['no user', { headers: { 'x-user-id': null } }, rejected('user-id-missing')],
  ['a malformed tenant', { headers: { 'x-tenant-id': 'a b' } }, rejected('tenant-id-invalid')],
  [
    'an unknown key',
    { headers: { 'x-api-key': 'no-such-key' } },
    rejected('api-key-invalid', 'key is unknown'),
  ],
  [
    'a key without permission',
    { headers: { 'x-api-key': apiKeys.viewer } },
    rejected('permission-denied', 'no role of the key grants files:update'),
  ],
  ['another media type', { headers: { 'content-type': 'text/plain' } }, rejected('content-type-unsupported')],
  ['an encoding', { headers: { 'content-encoding': 'br' } }, rejected('content-encoding-unsupported')],
  [
    'a body that is too large',
    { body: ' '.repeat(131_073) },
    rejected('body-too-large', 'body of 131073 bytes'),
  ],
  ['no body', { body: null }, rejected('body-missing')],
  ['an unknown field', { body: '{"x":1}' }, invalid(unknownField('x'))],
  ['an unknown space', { space: 'no-such-space' }, rejected('space-not-found')],
  [
    'a private space',
    { space: spaces.private },
    rejected('permission-denied', 'space is private and the caller is not its owner'),
  ],
  [
    'a malformed idempotency key',
    { headers: { 'idempotency-key': 'é' } },
    rejected('idempotency-key-invalid'),
  ],
  ['a malformed If-Match', { headers: { 'if-match': 'x' } }, rejected('if-match-invalid')],
  ['an unknown file', { file: 'no-such-file' }, rejected('file-not-found')],
  ['an old If-Match', { headers: { 'if-match': '"1"' } }, rejected('file-changed')],
];

/** The codes of no row above: another mistake stands for their check, or no request alone causes them. */
export const withoutMistake: readonly ErrorCode[] = [
  'user-id-invalid',
  'tenant-id-missing',
  'body-not-json',
  'body-not-object',
  'patch-empty',
  'idempotency-key-reused',
  'file-too-large',
  'unavailable',
  'internal-error',
];

const partsOf = ({ headers = {}, ...rest }: Sent) => [...Object.keys(headers), ...Object.keys(rest)];

const pairs = mistakes.flatMap(([first, firstSent, expect], index) =>
  mistakes.slice(index + 1).flatMap(([second, secondSent, { log }]) => {
    // Two mistakes in the same part of a request exclude each other.
    if (partsOf(secondSent).some((part) => partsOf(firstSent).includes(part))) return [];
    const headers = { ...firstSent.headers, ...secondSent.headers };
    const name = `Of ${first} and ${second}, the first is reported`;
    // The line lacks each id that is rejected.
    return cases(
      { ...expect, log: { ...log, ...expect.log } },
      { [name]: { ...firstSent, ...secondSent, headers } },
    );
  }),
);

/** The first check that fails determines the response: two mistakes at once, for every pair of checks. */
export const order: readonly Case[] = [
  ...pairs,
  ...bodyCases(duplicate('summary'), {
    'A duplicate is reported before an unknown field': '{"x":1,"summary":"A","summary":"B"}',
    'A duplicate is reported before a wrong type': '{"summary":1,"summary":2}',
  }),
  ...bodyCases(rejected('body-not-json'), {
    'Malformed JSON is reported before a duplicate': '{"summary":"A","summary":"B"',
    'Malformed JSON is reported before a list': '[1,',
  }),
];
