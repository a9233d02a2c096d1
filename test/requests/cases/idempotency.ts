import { randomUUID } from 'node:crypto';
import { RECENT_WRITES } from '#lib/store/recent-writes.ts';
import { kinds } from '#test/support/fixtures.ts';
import {
  aCase,
  accepted,
  type Case,
  type Expected,
  headerCases,
  rejected,
  replayed,
  type Step,
  updated,
} from './case.ts';
import { fixture } from './fixture.ts';

/** The file remembers the hashes of the key and of the patch. */
const keyed = (expected: Expected): Expected => ({ ...expected, mark: '[\\w-]{11}\\.[\\w-]{11}' });
const [kind] = kinds;
const once = keyed(updated('Once.', 'before'));
const repeated = replayed('Once.', 'before');
/** So many updates without a key, which set the summary to their number. */
const others = (count: number): readonly Step[] =>
  Array.from({ length: count }, (_, index) => [
    { body: `{"summary":"${index + 1}"}` },
    updated(`${index + 1}`, 'before'),
  ]);

type Send = (expect: Expected, body?: string, headers?: Readonly<Record<string, string>>) => Step;
const patch = '{"summary":"Once."}';
const sequences: Readonly<Record<string, (send: Send, key: string) => readonly Step[]>> = {
  'A repeated request with a key is not written again': (send) => [
    send(once),
    send(repeated),
    send(repeated),
  ],
  'A repeated request gets the file as others left it': (send) => [
    send(once),
    ...others(1),
    send(replayed('1', 'before')),
  ],
  // The number of the contract. The judges of other tests take it from the code.
  'A request is remembered among the last 8 updates': (send) => [
    send(once),
    ...others(7),
    send(replayed('7', 'before')),
  ],
  'A request is forgotten after 8 other updates': (send) => [send(once), ...others(8), send(once)],
  'A forgotten request with the If-Match of before is rejected': (send) => [
    send(once, patch, { 'if-match': '*' }),
    ...others(RECENT_WRITES),
    send(rejected('file-changed'), patch, { 'if-match': '{stale}' }),
  ],
  'A repeated request with the If-Match of before is not rejected': (send) => [
    send(once, patch, { 'if-match': '*' }),
    send(repeated, patch, { 'if-match': '{stale}' }),
  ],
  'A key in quotes is the same key': (send, key) => [
    send(once),
    send(repeated, patch, { 'idempotency-key': `"${key}"` }),
    // In quotes, a backslash stands before a backslash or a quote; without quotes, it is a character of the key.
    send(once, patch, { 'idempotency-key': String.raw`${key}x\"` }),
    send(repeated, patch, { 'idempotency-key': String.raw`"${key}x\\\""` }),
  ],
  'A key is case-sensitive': (send, key) =>
    ['', 'A', 'a'].map((end) => send(once, patch, { 'idempotency-key': key + end })),
  'The order of the fields does not matter': (send) => [
    send(keyed(updated('Once.', kind)), `{"summary":"Once.","documentKind":"${kind}"}`),
    send(replayed('Once.', kind), `{"documentKind":"${kind}","summary":"Once."}`),
  ],
  'A key that was used for another patch is rejected': (send) => [
    send(once),
    send(rejected('idempotency-key-reused'), '{"summary":"Twice."}'),
    send(rejected('idempotency-key-reused'), '{"summary":null}'),
    send(repeated),
  ],
  'A key that was used to clear one field is rejected for the other': (send) => [
    send(keyed(updated(null, 'before')), '{"summary":null}'),
    send(rejected('idempotency-key-reused'), '{"documentKind":null}'),
    send(rejected('idempotency-key-reused'), '{"summary":null,"documentKind":null}'),
    send(replayed(null, 'before'), '{"summary":null}'),
  ],
  'A key that was used for a value is rejected for the value and null': (send) => [
    send(once),
    send(rejected('idempotency-key-reused'), '{"summary":"Once.","documentKind":null}'),
    send(repeated),
  ],
  'A key of another user is another key': (send) => [
    send(once),
    send(once, patch, { 'x-user-id': `${fixture.userId}-2` }),
  ],
};

export const idempotency: readonly Case[] = [
  // Each for a key of its own: a service remembers the keys of earlier runs.
  ...Object.entries(sequences).map(([name, stepsOf]) => {
    const key = randomUUID();
    const send: Send = (expect, body = patch, headers = {}) => [
      { body, headers: { 'idempotency-key': key, ...headers } },
      expect,
    ];
    return aCase(name, stepsOf(send, key));
  }),
  ...headerCases('idempotency-key')(keyed(accepted), {
    'A key with spaces is accepted': `a b ${randomUUID()}`,
    'A key of 128 characters is accepted': randomUUID().padEnd(128, 'x'),
    'Space and tab around a key do not count': ` \t${randomUUID()} \t`,
    'A key of 128 characters in quotes is accepted': `"${randomUUID()}${'\\"'.repeat(92)}"`,
  }),
  ...headerCases('idempotency-key')(rejected('idempotency-key-invalid'), {
    'An empty key is malformed': '',
    'A key of white space is malformed': ' \t',
    'Empty quotes are malformed': '""',
    'A quote in quotes is malformed': '"a"b"',
    'A backslash before a letter in quotes is malformed': String.raw`"a\b"`,
    'A letter that is not ASCII in quotes is malformed': '"é"',
    'A key of 129 characters is malformed': 'x'.repeat(129),
    'A key with a letter that is not ASCII is malformed': 'é',
    'A key with a tab is malformed': 'a\tb',
    'A key with a comma is malformed': 'a,b',
    'A key with a comma in quotes is malformed': '"a,b"',
    'A key that is sent twice is malformed': ['a', 'a'],
    'A key in quotes that is sent twice is malformed': ['"a"', '"a"'],
    'A key without its last quote is malformed': '"a',
    'Text after the last quote is malformed': '"a" b',
  }),
];
