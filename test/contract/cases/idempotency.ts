import { randomUUID } from 'node:crypto';
import { type Case, type Expected, expected, headerCases, many, type Step } from '../case.ts';
import { fixture } from '../fixture.ts';

const patch = '{"summary":"Once."}';
const once = expected.updated('Once.', 'before');
const replayed = expected.replayed('Once.', 'before');
const other = (summary: string): Step => [
  { body: JSON.stringify({ summary }) },
  expected.updated(summary, 'before'),
];
type Headers = Readonly<Record<string, string>>;

/** A case for a key of its own: a service remembers the keys of earlier runs. */
const keyed = (
  name: string,
  steps: (send: (expect: Expected, body?: string, more?: Headers) => Step, key: string) => readonly Step[],
): Case => {
  const key = randomUUID();
  return many(
    name,
    steps(
      (expect, body = patch, more = {}) => [{ body, headers: { 'idempotency-key': key, ...more } }, expect],
      key,
    ),
  );
};

export const idempotency: readonly Case[] = [
  keyed('A repeated request with a key is not written again', (send) => [
    send(once),
    send(replayed),
    send(replayed),
  ]),
  keyed('A repeated request gets the file as others left it', (send) => [
    send(once),
    other('Other.'),
    send(expected.replayed('Other.', 'before')),
  ]),
  keyed('A request is remembered among the last eight updates', (send) => [
    send(once),
    ...['1', '2', '3', '4', '5', '6', '7'].map(other),
    send(expected.replayed('7', 'before')),
  ]),
  keyed('A request is forgotten after eight other updates', (send) => [
    send(once),
    ...['1', '2', '3', '4', '5', '6', '7', '8'].map(other),
    send(once),
  ]),
  keyed('A repeated request with the If-Match of before is not rejected', (send) => [
    send(once, patch, { 'if-match': '*' }),
    send(replayed, patch, { 'if-match': '{stale}' }),
  ]),
  keyed('A key in quotes is the same key', (send, key) => [
    send(once),
    send(replayed, patch, { 'idempotency-key': `"${key}"` }),
  ]),
  keyed('A key is case-sensitive', (send, key) => [
    send(once),
    send(once, patch, { 'idempotency-key': `${key}A` }),
    send(once, patch, { 'idempotency-key': `${key}a` }),
  ]),
  keyed('The order of the fields does not matter', (send) => [
    send(expected.updated('Once.', 'new'), '{"summary":"Once.","documentKind":"new"}'),
    send(expected.replayed('Once.', 'new'), '{"documentKind":"new","summary":"Once."}'),
  ]),
  keyed('A key that was used for another patch is rejected', (send) => [
    send(once),
    send(expected.reused, '{"summary":"Twice."}'),
    send(expected.reused, '{"summary":null}'),
    send(replayed),
  ]),
  keyed('A key of another user is another key', (send) => [
    send(once),
    send(once, patch, { 'x-user-id': `${fixture.userId}-2` }),
  ]),
  ...headerCases('idempotency-key')(expected.accepted, {
    'A key with spaces and commas is accepted': `a, b ${randomUUID()}`,
    'A key of 128 characters is accepted': randomUUID().padEnd(128, 'x'),
    'A key of 128 characters in quotes is accepted': `"${randomUUID()}${'\\"'.repeat(92)}"`,
  }),
  ...headerCases('idempotency-key')(expected.invalid('Idempotency-Key is invalid'), {
    'An empty key is malformed': '',
    'Empty quotes are malformed': '""',
    'A key of 129 characters is malformed': 'x'.repeat(129),
    'A key with a letter that is not ASCII is malformed': 'é',
    'A key with a tab is malformed': 'a\tb',
    'A key without its last quote is malformed': '"a',
    'Text after the last quote is malformed': '"a" b',
  }),
];
