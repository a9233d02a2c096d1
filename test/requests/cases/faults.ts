import { aBasicFile, apiKeyRecord, FIRST_VERSION } from '#test/support/fixtures.ts';
import type { Fault } from '#test/support/message-faults.ts';
import { aCase, type Case, type Expected, rejected, type Sent, type Stored, updated } from './case.ts';

/* What goes wrong between the service and DynamoDB, and what another service writes meanwhile. */

const summary = 'Must not be stored.';
const done = updated(summary, 'guide');
const doneBefore: Expected = { ...done, replayed: true, written: { summary } };
const stored = aBasicFile({ fileId: 'faulty' });
const faulty = (name: string, sent: Sent, expected: Expected): Case =>
  aCase(name, [[sent, expected]], { only: '2.0', stored });

/** The sender of a lost message waits 0.7 s for its reply. */
const LIMIT_MS = 700;
const isLost = (fault: Fault) => fault === 'lost' || fault === 'response lost';
/** Faults after which the same call may succeed, by what the table has done. */
const notApplied: readonly Fault[] = [
  'lost',
  'reset',
  '500',
  'throttled',
  'transaction conflict',
  'clock rejected',
  'unprocessed',
];
const applied: readonly Fault[] = [
  'response lost',
  'reset, applied',
  '500, applied',
  'cut, applied',
  'malformed head, applied',
  'empty, applied',
];
const once = [...notApplied, ...applied].flatMap((fault) => {
  const log = { retries: 1, ms: isLost(fault) ? LIMIT_MS : 0 };
  const afterWrite = applied.includes(fault) ? doneBefore : done;
  return [
    faulty(`A read that meets "${fault}" is sent again`, { network: { read: [fault] } }, { ...done, log }),
    faulty(
      `A write that meets "${fault}" is sent again`,
      { network: { write: [fault] } },
      { ...afterWrite, log },
    ),
  ];
});

const inRead = { call: 'access read' };
const inWrite = { call: 'update', keyId: apiKeyRecord()['keyId'] };
/** Of the 4.9 s for calls, a lost message takes 0.7 s. Others are sent again as long as the instance has tokens. */
const giveUp = (fault: Fault, call: Stored): Expected =>
  isLost(fault)
    ? { ...rejected('unavailable', 'deadline passed'), log: { ...call, retries: 6, ms: 7 * LIMIT_MS } }
    : { ...rejected('unavailable', 'retry budget used up'), log: { ...call, retries: 100 } };
const always = [...notApplied, ...applied].flatMap((fault) => {
  const left = applied.includes(fault) && { written: { summary } };
  return [
    faulty(`Reads that all meet "${fault}" get 503`, { network: { read: fault } }, giveUp(fault, inRead)),
    faulty(
      `Writes that all meet "${fault}" get 503`,
      { network: { write: fault } },
      { ...giveUp(fault, inWrite), ...left },
    ),
  ];
});
const notSentAgain = (reason: string, log: Stored): Expected => ({
  ...rejected('internal-error', reason),
  log,
});
const final = [
  faulty(
    'A read that is denied is not sent again',
    { network: { read: ['access denied'] } },
    notSentAgain('unexpected error', inRead),
  ),
  faulty(
    'A write that is denied is not sent again',
    { network: { write: ['access denied'] } },
    notSentAgain('unexpected error', inWrite),
  ),
  faulty(
    'The record of another key is not used',
    { network: { read: ['of another item, applied'] } },
    notSentAgain('access read: the response holds a record that was not requested', inRead),
  ),
  faulty(
    'The file of another request is not shown',
    { network: { write: ['of another item, applied'] } },
    {
      ...notSentAgain('update: the response holds a file that was not requested', inWrite),
      written: { summary },
    },
  ),
];

/*
 * docs/decisions/001, "What a rejected write means": an attempt with unknown outcome, and then a rejection by what another
 * service has written. `later` is above the version of that attempt, 5 is below it.
 */
const later = FIRST_VERSION + 7;
const entry = (version: number, hashes = 'x.') => `${hashes}.${version.toString(36)}`;
const afterReset = (name: string, meanwhile: Stored, expected: Expected, headers: Sent['headers'] = {}) =>
  faulty(name, { network: { write: ['reset'] }, meanwhile, headers }, expected);
const unknown: Expected = {
  ...rejected('unavailable', 'rejected after an attempt with unknown outcome'),
  log: { ...inWrite, retries: 1, cause: { name: 'Error', code: 'ECONNRESET' } },
};
const again: Expected = { ...done, log: { retries: 1, conflicts: 1 } };
const changed: Expected = { ...rejected('file-changed'), log: { retries: 1 } };
const old = { w3: entry(1) };
const decided = [
  afterReset('A file that remembers no older write may have forgotten it', { version: later }, unknown),
  afterReset(
    'A file whose oldest write has its version may have forgotten it',
    { version: later, w2: entry(FIRST_VERSION) },
    unknown,
  ),
  afterReset(
    'A file that remembers an older write has not got it',
    { version: later, w2: entry(FIRST_VERSION - 1) },
    again,
  ),
  afterReset(
    'Of the remembered writes, the oldest counts',
    { version: later, w2: entry(later), ...old },
    again,
  ),
  afterReset('An entry of another form is not older', { version: later, w2: 'x.1' }, unknown),
  afterReset(
    'After an entry of another form, an older one counts',
    { version: later, w2: 3, w4: entry(1) },
    again,
  ),
  ...Object.entries({
    'If-Match lists the version that is found': [later, `"${later}"`, again],
    'If-Match lists another version': [later, '"1"', changed],
    'If-Match lists a version to come, so the attempt may arrive late': [5, '"1", "6"', unknown],
    'If-Match lists older versions, so the attempt is rejected': [5, '"1", "4"', changed],
    'If-Match lists no version, so the attempt is rejected': [5, 'W/"5"', changed],
  } satisfies Record<string, [number, string, Expected]>).map(([name, [version, ifMatch, expected]]) =>
    afterReset(name, { version, w2: entry(1) }, expected, { 'if-match': ifMatch }),
  ),
  afterReset(
    'If-Match lists older versions, but the attempt may be forgotten',
    { version: 5, w1: 'x.1' },
    unknown,
    { 'if-match': '"1"' },
  ),
  faulty(
    'After a reset and a throttled attempt, the cause is the reset',
    { network: { write: ['reset', 'throttled'] }, meanwhile: { version: later } },
    { ...unknown, log: { ...unknown.log, retries: 2 } },
  ),
];

/** The same for a request with an Idempotency-Key whose id and patch have these hashes (stored.ts). */
const [id, payload] = ['XfjB9HHJr1p', 'u6Jd4TalAJu'];
const body = '{"summary":"What to do in the first week."}';
const key = { 'x-user-id': 'grace', 'idempotency-key': 'key-1' };
const own = (version: number) => entry(version, `${id}.${payload}`);
const other = (version: number) => entry(version, `${id}.other`);
const replay: Expected = { ...updated('How the first week goes.', 'guide'), replayed: true };
const reused = rejected('idempotency-key-reused');
const repeated = (
  name: string,
  meanwhile: Stored,
  expected: Expected,
  network: Sent['network'] = {},
  headers: Sent['headers'] = {},
) => faulty(name, { body, headers: { ...key, ...headers }, network, meanwhile }, expected);
const reset = { write: ['reset'] } as const;
const retried = (expected: Expected): Expected => ({ ...expected, log: { retries: 1 } });
const keyed = [
  repeated('The latest write is that of the key', { version: later, w1: own(later) }, replay),
  repeated('Others have written since the write of the key', { version: later, w2: own(1) }, replay),
  repeated(
    'Before the write of the key, there is an entry of another form',
    { version: later, w1: 'x', w2: 3, w3: own(1) },
    replay,
  ),
  repeated(
    'A reset attempt with the key is kept out',
    { version: later, w1: own(later) },
    retried(replay),
    reset,
  ),
  repeated(
    'A reset attempt with the key may arrive late',
    { version: 5, w1: own(5), ...old },
    unknown,
    reset,
  ),
  repeated('The key was used for another patch meanwhile', { version: later, w2: other(1) }, reused),
  repeated(
    'The key was used for another patch, and the reset attempt had no effect',
    { version: later, w2: other(2), ...old },
    retried(reused),
    reset,
  ),
  repeated(
    'The key was used for another patch, and the reset attempt may be forgotten',
    { version: later, w2: other(later) },
    unknown,
    reset,
  ),
  repeated(
    'The key was used for another patch, and the reset attempt may arrive late',
    { version: 5, w2: other(2), ...old },
    unknown,
    reset,
  ),
  repeated('With If-Match, an attempt was applied', { version: 5, w1: own(5) }, retried(replay), reset, {
    'if-match': '"1"',
  }),
  repeated(
    'With If-Match, an attempt was applied, and another one may arrive late',
    { version: 5, w1: own(5), ...old },
    unknown,
    reset,
    { 'if-match': '"5"' },
  ),
  repeated(
    'With If-Match, the key was used for another patch',
    { version: 5, w2: other(2), ...old },
    retried(reused),
    reset,
    { 'if-match': '"1"' },
  ),
];

export const faults: readonly Case[] = [...once, ...always, ...final, ...decided, ...keyed];
