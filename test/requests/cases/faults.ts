import { aBasicFile, FIRST_VERSION } from '#test/support/fixtures.ts';
import { type Fault, faultOf, isFault, retryableFaults } from '#test/support/message-faults.ts';
import {
  aCase,
  type Case,
  type Expected,
  rejected,
  replayed,
  type Sent,
  type Stored,
  updated,
} from './case.ts';

/* What goes wrong between the service and DynamoDB, and what another service writes meanwhile. */

const summary = 'Must not be stored.';
const done = updated(summary, 'guide');
const doneBefore: Expected = { ...done, replayed: true, written: { summary } };
const stored = aBasicFile({ fileId: 'faulty' });
const faulty = (name: string, sent: Sent, expected: Expected): Case =>
  aCase(name, [[sent, expected]], { only: '2.0', stored });

/** The sender of a lost message waits 0.7 s for its reply. */
const isLost = (fault: Fault) => fault === 'lost' || fault === 'response lost';

const inRead = { call: 'access read', keyId: undefined };
const inWrite = { call: 'update' };
const ofEachCall = (['read', 'write'] as const).flatMap((kind) => {
  const call = kind === 'read' ? inRead : inWrite;
  const retryable = retryableFaults.filter(isFault).flatMap((fault) => {
    const isWritten = kind === 'write' && faultOf(fault).applied === 'now';
    const again = { ...(isWritten ? doneBefore : done), log: { retries: 1, ms: isLost(fault) ? 700 : 0 } };
    // Of the 4.9 s for calls, a lost message takes 0.7 s. Others are sent again as long as the instance has tokens.
    const [reason, log] = isLost(fault)
      ? ['deadline passed', { ...call, retries: 6, ms: 4_900 }]
      : ['retry budget used up', { ...call, retries: 100 }];
    const given = { ...rejected('unavailable', reason), log, ...(isWritten && { written: { summary } }) };
    return [
      faulty(`A ${kind} that meets "${fault}" is sent again`, { network: { [kind]: [fault] } }, again),
      faulty(`A ${kind} that always meets "${fault}" is given up`, { network: { [kind]: fault } }, given),
    ];
  });
  const failed = (reason: string) => ({ ...rejected('internal-error', reason), log: call });
  const foreign =
    kind === 'read' ? 'access read: the response holds a record' : 'update: the response holds a file';
  return [
    ...retryable,
    faulty(
      `A ${kind} that is denied is not sent again`,
      { network: { [kind]: ['access denied'] } },
      failed('unexpected error'),
    ),
    faulty(
      `A ${kind} that gets the response to another one is not sent again`,
      { network: { [kind]: ['of another item, applied'] } },
      { ...failed(`${foreign} that was not requested`), ...(kind === 'write' && { written: { summary } }) },
    ),
  ];
});

/*
 * docs/decisions/001, "What a rejected write means": an attempt with unknown outcome, and then a rejection by what another
 * service has written. `later` is above the version of that attempt, 5 is below it.
 */
const later = FIRST_VERSION + 7;
const entry = (version: number, hashes = 'x.') => `${hashes}.${version.toString(36)}`;
const old = { w3: entry(1) };
const large = 'x'.repeat(400 * 1024 - 160);
const unknown: Expected = {
  ...rejected('unavailable', 'rejected after an attempt with unknown outcome'),
  log: { ...inWrite, retries: 1, cause: { name: 'Error', code: 'ECONNRESET' } },
};
const retried = (expected: Expected): Expected => ({ ...expected, log: { retries: 1 } });
const again: Expected = { ...done, log: { retries: 1, conflicts: 1 } };
const changed = retried(rejected('file-changed'));
type Row = readonly [name: string, meanwhile: Stored, expected: Expected, ifMatch?: string];
const reset: Sent = { network: { write: ['reset'] } };
const cases = (rows: readonly Row[], sent: Sent) =>
  rows.map(([name, meanwhile, expected, ifMatch]) => {
    const headers = { ...sent.headers, ...(ifMatch && { 'if-match': ifMatch }) };
    return faulty(name, { ...sent, headers, meanwhile }, expected);
  });
const decided: readonly Row[] = [
  ['A file that remembers no older write may have forgotten it', { version: later }, unknown],
  ['An entry of the same version is not older', { version: later, w2: entry(FIRST_VERSION) }, unknown],
  ['An older entry shows that it was not applied', { version: later, w2: entry(FIRST_VERSION - 1) }, again],
  ['Of the entries, the oldest counts', { version: later, w2: entry(later), ...old }, again],
  ...['x.1', '.x.1', '.x..1', 'x..1.', 'x..1 ', 'x..-1', 'x..000000000001', 'x', ''].map(
    (w2): Row => [`The entry "${w2}" of another form is not older`, { version: later, w2 }, unknown],
  ),
  ['After an entry of another form, an older one counts', { version: later, w2: 3, w4: entry(1) }, again],
  ['It would exceed 400 KB now, but may have been applied before', { version: 5, thumbnail: large }, unknown],
  ['If-Match lists the version that is found', { version: later, ...old }, again, `"${later}"`],
  ['If-Match lists another version', { version: later, ...old }, changed, '"1"'],
  ['If-Match lists a version to come, so it may arrive late', { version: 5, ...old }, unknown, '"1", "6"'],
  ['If-Match lists older versions, so it is rejected', { version: 5, ...old }, changed, '"1", "4"'],
  ['If-Match lists no version, so it is rejected', { version: 5, ...old }, changed, 'W/"5"'],
  ['If-Match lists older versions, but it may be forgotten', { version: 5, w1: 'x.1' }, unknown, '"1"'],
];
const throttled = faulty(
  'After a reset and a throttled attempt, the cause is the reset',
  { network: { write: ['reset', 'throttled'] }, meanwhile: { version: later } },
  { ...unknown, log: { ...unknown.log, retries: 2 } },
);

/* The same for a request with an Idempotency-Key. Its id and its patch have these hashes (stored.ts). */
const keyed: Sent = {
  headers: { 'x-user-id': 'grace', 'idempotency-key': 'key-1' },
  body: '{"summary":"What to do in the first week."}',
};
const mark = 'XfjB9HHJr1p.u6Jd4TalAJu';
const own = (version: number) => entry(version, mark);
const other = (version: number) => entry(version, 'XfjB9HHJr1p.other');
const replay = replayed('How the first week goes.', 'guide');
const reused = rejected('idempotency-key-reused');
const written: Expected = {
  ...updated('What to do in the first week.', 'guide'),
  mark,
  log: { conflicts: 1 },
};
const remembered: readonly Row[] = [
  ['The latest write is that of the key', { version: later, w1: own(later) }, replay],
  ['Others have written since the write of the key', { version: later, w2: own(1) }, replay],
  ['An entry of another form is before that of the key', { version: later, w1: 'x', w3: own(1) }, replay],
  ['The key was used for another patch meanwhile', { version: later, w2: other(1) }, reused],
  ['An entry without a dot is not that of the key', { version: later, w1: 'XfjB9HHJr1p' }, written],
];
const rememberedAfterReset: readonly Row[] = [
  [
    'The key was applied, and the reset attempt is kept out',
    { version: later, w1: own(later) },
    retried(replay),
  ],
  ['The key was applied, and the reset attempt may arrive late', { version: 5, w1: own(5), ...old }, unknown],
  [
    'Another patch, and the reset attempt had no effect',
    { version: later, w2: other(2), ...old },
    retried(reused),
  ],
  ['Another patch, and the reset attempt may be forgotten', { version: later, w2: other(later) }, unknown],
  ['Another patch, and the reset attempt may arrive late', { version: 5, w2: other(2), ...old }, unknown],
  ['With If-Match, the key was applied', { version: 5, w1: own(5) }, retried(replay), '"1"'],
  ['With If-Match, it was applied, and may arrive late', { version: 5, w1: own(5), ...old }, unknown, '"5"'],
  ['With If-Match, another patch', { version: 5, w2: other(2), ...old }, retried(reused), '"1"'],
  ['With If-Match, another patch, and may arrive late', { version: 5, w2: other(2), ...old }, unknown, '"6"'],
];

export const faults: readonly Case[] = [
  ...ofEachCall,
  ...cases(decided, reset),
  throttled,
  ...cases(remembered, keyed),
  ...cases(rememberedAfterReset, { ...keyed, ...reset }),
];
