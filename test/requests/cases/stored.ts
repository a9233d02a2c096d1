import {
  aBasicFile,
  aFile,
  brokenFile,
  FIRST_VERSION,
  kinds,
  largeFile,
  NOW,
  preciseFile,
} from '#test/support/fixtures.ts';
import {
  aCase,
  type Case,
  type Expected,
  rejected,
  replayed,
  type Step,
  type Stored,
  updated,
} from './case.ts';

/* Cases about records that a deployment usually does not have. */

const aboutStored = (name: string, stored: Stored, ...steps: readonly Step[]): Case =>
  aCase(name, steps, { only: 'event', stored });
const summary = 'Must not be stored.';
/** The write names only what was sent, so it is applied. But the record is no file. */
const damaged: Expected = {
  ...rejected('internal-error', 'file record does not fit: domain: invalid_type'),
  written: { summary },
};

const week = '{"summary":"What to do in the first week."}';
const headers = { 'x-user-id': 'grace', 'idempotency-key': 'key-1' };
/** The hashes of tenant, user and key, and of this patch, as version 1.0.0 stores them. */
const mark = 'XfjB9HHJr1p.u6Jd4TalAJu';
const remembering = aBasicFile({
  fileId: 'remembering',
  version: 1_789_999_999_000_000,
  w1: `${mark}.hmi2naz2kg`,
});
const reused = rejected('idempotency-key-reused');

export const stored: readonly Case[] = [
  aboutStored('The etag of a file without a version is "0"', aFile({ fileId: 'without-version' }), [
    { headers: { 'if-match': '"0"' } },
    updated(summary, 'guide'),
  ]),
  aboutStored(
    'Another form of "0" is not the etag of a file without a version',
    aFile({ fileId: 'without-version' }),
    [{ headers: { 'if-match': 'W/"0", "00", "0e0", "0.0", "-0", "0x0"' } }, rejected('file-changed')],
  ),
  aboutStored(
    'A file may have neither editable fields nor tags',
    { spaceId: 'handbook', fileId: 'bare', language: 'en', domain: 'hr' },
    [{ body: `{"documentKind":"${kinds[0]}"}` }, updated(null, kinds[0])],
  ),
  // The SDK rejects such a number, unless it is told otherwise.
  aboutStored('A number with more digits than JavaScript keeps does no harm', preciseFile, [
    { headers: { 'if-match': '"1"' } },
    rejected('file-changed'),
  ]),
  aboutStored('A file is not updated if it would exceed 400 KB', largeFile, [
    { body: `{"summary":"${'a'.repeat(10_000)}"}` },
    rejected('file-too-large'),
  ]),
  aboutStored(
    'A file with the last version gets 500',
    aFile({ fileId: 'last-version', version: Number.MAX_SAFE_INTEGER }),
    [
      {},
      {
        ...rejected('internal-error', 'file record does not fit: version: too_big'),
        log: { conflicts: 1, versionAheadMs: Math.round(Number.MAX_SAFE_INTEGER / 1000 - NOW) },
      },
    ],
  ),
  aboutStored('A version is above the stored one', aFile({ fileId: 'same-time', version: FIRST_VERSION }), [
    {},
    { ...updated(summary, 'guide'), log: { conflicts: 1 } },
  ]),
  ...[60_000, 60_001, Math.round(2 ** 53 / 1000 - NOW)].map((aheadMs) => {
    const version = Math.min((NOW + aheadMs) * 1000, 2 ** 53 - 2);
    const log = { conflicts: 1, ...(aheadMs > 60_000 && { versionAheadMs: aheadMs }) };
    const name = `A stored version ${aheadMs} ms ahead is raised, and is logged above a minute`;
    return aboutStored(name, aFile({ fileId: 'ahead', version }), [
      {},
      { ...updated(summary, 'guide'), log },
    ]);
  }),
  aboutStored('A negative version gets 500 once it is compared', aFile({ fileId: 'negative', version: -1 }), [
    { headers: { 'if-match': '"1"' } },
    rejected('internal-error', 'file record does not fit: version: too_small'),
  ]),
  aboutStored('A damaged file gets 500 after the write', brokenFile, [{}, damaged]),
  aboutStored(
    'The reason of a 500 names each attribute that a file of the detailed shape lacks',
    aBasicFile({ fileId: 'half', originalName: 'plan.md' }),
    [
      {},
      {
        ...rejected(
          'internal-error',
          'file record does not fit: chunksCount, charactersCount missing from the detailed shape',
        ),
        written: { summary },
      },
    ],
  ),
  aboutStored('A file remembers the hashes of a key and of a patch', aBasicFile({ fileId: 'new' }), [
    { body: week, headers },
    { ...updated('What to do in the first week.', 'guide'), mark },
  ]),
  aboutStored('A request that the file remembers is not written again', remembering, [
    { body: week, headers },
    replayed('How the first week goes.', 'guide'),
  ]),
  aboutStored(
    'A key that the file remembers is for one patch, whatever If-Match says',
    remembering,
    [{ body: '{"summary":"Another."}', headers }, reused],
    [{ body: '{"summary":"Another."}', headers: { ...headers, 'if-match': '"1"' } }, reused],
  ),
  aboutStored(
    'An entry of the request in another form gets 500',
    aBasicFile({ fileId: 'other-entry', version: 1_789_999_999_000_000, w2: 'XfjB9HHJr1p.x' }),
    [
      { body: week, headers },
      rejected('internal-error', 'file record does not fit: the entry of this request'),
    ],
  ),
  aCase(
    'A request without time gets 503',
    [
      [
        { remainingMs: 400 },
        { ...rejected('unavailable', 'deadline passed'), log: { call: 'access read', keyId: undefined } },
      ],
    ],
    { only: 'event' },
  ),
];
