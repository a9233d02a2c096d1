import { readdirSync, readFileSync } from 'node:fs';
import type { ErrorCode } from '#lib/domain/errors.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { base64, type EventOverrides, formats } from './event.ts';
import {
  brokenFile,
  FIRST_VERSION,
  firstWrite,
  largeFile,
  preciseFile,
  replayedFile,
  unknownField,
} from './given.ts';
import { errors } from './responses.ts';

/** The whole response to a request, its line in the log, and what it leaves of the stored record. */
export type Outcome = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly log: { readonly outcome: string; readonly reason?: string };
  /** Attributes that differ afterwards; undefined means removed. Absent: the record is unchanged. */
  readonly changes?: Record<string, unknown>;
  /** The time that Lambda has left. Absent: enough. */
  readonly remainingMs?: number;
};

/** How a request differs from a good one. */
type Row = readonly [differs: EventOverrides, outcome: Outcome];

const summary = 'What to do in the first week.';
const header = (name: string, value: string | undefined): EventOverrides => ({ headers: { [name]: value } });
const json = (patch: unknown): EventOverrides => ({ body: JSON.stringify(patch) });
const bytes = (data: string | Uint8Array): EventOverrides => ({ body: base64(data), isBase64Encoded: true });

/** The files of the demo data, as a client sees them before. */
const [onboarding, contacts, roadmap, , unraisable] = demo.files.map(
  ({ spaceId: _, fileId: id, version: __, ...file }) => ({ id, ...file }),
);

const metadata = (updatedBy: string) => ({ ...firstWrite(), updatedBy });

type Fields = { readonly summary?: string | null; readonly documentKind?: string | null };
const updated = (
  fields: Fields,
  differs: EventOverrides = {},
  view: object | undefined = onboarding,
  updatedBy = 'grace',
): Row => {
  const stored = Object.entries(fields).map(([name, value]) => [name, value ?? undefined]);
  const outcome = {
    status: 200,
    body: { ...view, ...fields },
    headers: { etag: `"${FIRST_VERSION}"` },
    log: { outcome: 'updated' },
    changes: { ...Object.fromEntries(stored), ...metadata(updatedBy) },
  };
  return [{ ...json(fields), ...differs }, outcome];
};
const ofContacts = { fileId: contacts?.id ?? '' };
const ofRoadmap = { spaceId: 'ada-drafts', fileId: roadmap?.id ?? '' };

const { spaceId: _, fileId, version, w1: __, ...replayedFields } = replayedFile;
const keyed = header('idempotency-key', 'key-1');
const replayed: Outcome = {
  status: 200,
  body: { id: fileId, ...replayedFields },
  headers: { etag: `"${version}"`, 'idempotency-replayed': 'true' },
  log: { outcome: 'updated' },
};

const updates: Readonly<Record<string, Row>> = {
  updated: updated({ summary, documentKind: 'checklist' }),
  'updated-basic-shape': updated({ documentKind: 'directory' }, ofContacts, contacts),
  'updated-merge-patch': updated(
    { summary },
    header('content-type', 'application/merge-patch+json; charset=UTF-8'),
  ),
  'updated-base64': updated({ summary: 'Grüße 👋' }, bytes('{"summary":"Grüße 👋"}')),
  'updated-empty-string': updated({ summary: '' }),
  'updated-by-owner': updated(
    { documentKind: 'plan' },
    { ...ofRoadmap, ...header('x-user-id', 'ada') },
    { summary: null, ...roadmap },
    'ada',
  ),
  'updated-if-match': updated(
    { documentKind: 'plan' },
    { ...ofRoadmap, headers: { 'x-user-id': 'ada', 'if-match': '"1767225600000000"' } },
    { summary: null, ...roadmap },
    'ada',
  ),
  'updated-if-match-zero': updated({ summary }, header('if-match', '"0"')),
  // A key is remembered by its hash: w1 is that of this user and key, and of this patch.
  'updated-idempotency-key': [
    keyed,
    {
      ...updated({ summary })[1],
      changes: { summary, ...metadata('grace'), w1: `XfjB9HHJr1p.u6Jd4TalAJu.${FIRST_VERSION.toString(36)}` },
    },
  ],
  'updated-replayed': [{ ...keyed, fileId }, replayed],
  cleared: updated({ summary: null }),
  'cleared-both': updated({ summary: null, documentKind: null }),
  'set-and-cleared': updated({ summary, documentKind: null }),
};

const longKind = 'documentKind must be at most 256 characters';
const noText = 'summary must be a string or null';
const severalProblems = [
  'Field "tags" is not editable',
  noText,
  unknownField('x'),
  longKind,
  unknownField('2'),
];
const kind = 'k'.repeat(257);
const unfit = 'fields do not fit';

/** `message` is given if the code has several. */
type Rejection = readonly [
  differs: EventOverrides,
  code: ErrorCode,
  reason: string,
  message?: string | undefined,
  more?: Partial<Outcome>,
];
const rejections: Readonly<Record<string, Rejection>> = {
  'user-id-missing': [header('x-user-id', undefined), 'user-id-missing', 'header is missing or blank'],
  'user-id-blank': [header('x-user-id', '  '), 'user-id-missing', 'header is missing or blank'],
  'user-id-invalid': [header('x-user-id', 'grace,ada'), 'user-id-invalid', 'header is malformed'],
  'tenant-id-missing': [header('x-tenant-id', undefined), 'tenant-id-missing', 'header is missing or blank'],
  'tenant-id-invalid': [header('x-tenant-id', 'a'.repeat(129)), 'tenant-id-invalid', 'header is malformed'],
  'api-key-missing': [header('x-api-key', undefined), 'api-key-invalid', 'key is missing'],
  'api-key-malformed': [header('x-api-key', 'k'.repeat(513)), 'api-key-invalid', 'key is malformed'],
  'api-key-unknown': [header('x-api-key', 'demo-editor-key-'), 'api-key-invalid', 'key is unknown'],
  'api-key-revoked': [header('x-api-key', 'demo-revoked-key'), 'api-key-invalid', 'key is revoked'],
  'api-key-expired': [header('x-api-key', 'demo-expired-key'), 'api-key-invalid', 'key is expired'],
  'permission-other-tenant': [
    header('x-api-key', 'demo-globex-key'),
    'permission-denied',
    'key belongs to another tenant',
  ],
  'permission-other-scope': [
    header('x-api-key', 'demo-internal-key'),
    'permission-denied',
    'scope of the key is not PRODUCT',
  ],
  'permission-viewer': [
    header('x-api-key', 'demo-viewer-key'),
    'permission-denied',
    'no role of the key grants files:update',
  ],
  'permission-private-space': [
    ofRoadmap,
    'permission-denied',
    'space is private and the caller is not its owner',
  ],
  'content-type-missing': [
    header('content-type', undefined),
    'content-type-unsupported',
    'Content-Type is not JSON in UTF-8',
  ],
  'content-type-unsupported': [
    header('content-type', 'text/plain'),
    'content-type-unsupported',
    'Content-Type is not JSON in UTF-8',
  ],
  'content-type-charset': [
    header('content-type', 'application/json; charset=utf-16'),
    'content-type-unsupported',
    'Content-Type is not JSON in UTF-8',
  ],
  'content-encoding-unsupported': [
    { ...header('content-encoding', 'gzip'), body: 'H4sI', isBase64Encoded: true },
    'content-encoding-unsupported',
    'body is encoded',
  ],
  'body-too-large': [json({ summary: 'a'.repeat(131_072) }), 'body-too-large', 'body of 131086 bytes'],
  'body-missing': [{ body: undefined }, 'body-missing', 'no body'],
  'body-empty': [{ body: '' }, 'body-missing', 'no body'],
  'body-not-utf8': [bytes(Buffer.from('{"summary":"\xff"}', 'latin1')), 'body-not-json', 'body is not UTF-8'],
  'body-with-bom': [bytes('\ufeff{"summary":"a"}'), 'body-not-json', 'body is not JSON'],
  'body-not-json': [{ body: '{"summary":' }, 'body-not-json', 'body is not JSON'],
  'body-array': [json([{ summary: 'a' }]), 'body-not-object', 'body is JSON but no object'],
  'body-null': [json(null), 'body-not-object', 'body is JSON but no object'],
  'field-repeated': [
    { body: '{"summary":"a","summary":null}' },
    'patch-invalid',
    'a field is sent twice',
    'Duplicate field "summary"',
  ],
  'patch-empty': [json({}), 'patch-empty', 'body names no field'],
  'field-not-editable': [
    json({ summary: 'a', language: 'de' }),
    'patch-invalid',
    unfit,
    'Field "language" is not editable',
  ],
  'field-unknown': [json({ x: 1 }), 'patch-invalid', unfit, unknownField('x')],
  'several-problems': [
    { body: `{"tags":[],"summary":1,"x":null,"documentKind":"${kind}","2":2,"1":1}` },
    'patch-invalid',
    unfit,
    severalProblems.join('; '),
  ],
  'summary-wrong-type': [json({ summary: ['a'] }), 'patch-invalid', unfit, noText],
  'summary-too-long': [
    json({ summary: 'a'.repeat(10_001) }),
    'patch-invalid',
    unfit,
    'summary must be at most 10000 characters',
  ],
  'document-kind-too-long': [json({ documentKind: kind }), 'patch-invalid', unfit, longKind],
  'summary-invalid-unicode': [
    { body: String.raw`{"summary":"\ud83d"}` },
    'patch-invalid',
    unfit,
    'summary contains invalid Unicode',
  ],
  'space-not-found': [{ spaceId: 'no such space' }, 'space-not-found', 'tenant has no such space'],
  'space-of-another-tenant': [
    { spaceId: 'globex-plans', fileId: '5d6c7b8a-9f01-4a2b-8c3d-4e5f60718293' },
    'space-not-found',
    'tenant has no such space',
  ],
  'space-id-impossible': [{ spaceId: 's'.repeat(1025) }, 'space-not-found', 'tenant has no such space'],
  'file-not-found': [{ fileId: 'no/such/file' }, 'file-not-found', 'space has no such file'],
  'file-of-another-space': [
    { ...ofRoadmap, spaceId: 'handbook' },
    'file-not-found',
    'space has no such file',
  ],
  'file-id-impossible': [
    { fileId: 'f'.repeat(1025) },
    'file-not-found',
    'file id is one that no table could hold',
  ],
  'file-changed': [header('if-match', '"1789999999999000"'), 'file-changed', 'If-Match does not match'],
  // The SDK rejects such a number, unless it is told otherwise.
  'file-changed-with-a-precise-number': [
    { ...header('if-match', '"1"'), fileId: preciseFile.fileId },
    'file-changed',
    'If-Match does not match',
  ],
  'idempotency-key-invalid': [
    header('idempotency-key', 'ké'),
    'idempotency-key-invalid',
    'header is malformed',
  ],
  'idempotency-key-reused': [
    { ...keyed, ...json({ summary: 'Another.' }), fileId },
    'idempotency-key-reused',
    'key was used with another body',
  ],
  'idempotency-key-reused-after-a-change': [
    { headers: { ...keyed.headers, 'if-match': '"1"' }, ...json({ summary: 'Another.' }), fileId },
    'idempotency-key-reused',
    'key was used with another body',
  ],
  'if-match-invalid': [header('if-match', '1789999999999000'), 'if-match-invalid', 'header is malformed'],
  'file-too-large': [
    { ...json({ summary: 'a'.repeat(10_000) }), fileId: largeFile.fileId },
    'file-too-large',
    'item would exceed 400 KB',
  ],
  'service-unavailable': [{}, 'unavailable', 'deadline passed', undefined, { remainingMs: 400 }],
  'wrong-trigger': [
    { extra: { pathParameters: { proxy: 'v1/spaces/handbook/files/a' } } },
    'internal-error',
    'wrong trigger: event does not fit: pathParameters.spaceId: invalid_type, pathParameters.fileId: invalid_type',
  ],
  'internal-error': [
    { fileId: unraisable?.id ?? '' },
    'internal-error',
    'file record does not fit: version: too_big',
  ],
  'internal-error-after-the-write': [
    { fileId: brokenFile.fileId },
    'internal-error',
    'file record does not fit: language: invalid_type',
    undefined,
    // The write names only what was sent, so it is applied. But the record is no file.
    { changes: { summary, ...metadata('grace') } },
  ],
};

const rejected = Object.entries(rejections).map(([name, [differs, outcome, reason, message, more]]) => {
  const { status, message: fixed, headers } = errors[outcome];
  const row: Row = [
    differs,
    {
      status,
      body: { message: message ?? fixed },
      headers: { 'x-error-code': outcome, ...headers },
      log: { outcome, reason },
      ...more,
    },
  ];
  return [name, row] as const;
});

const rows: Readonly<Record<string, Row>> = { ...updates, ...Object.fromEntries(rejected) };

type Request = readonly [name: string, event: unknown, outcome: Outcome];

const good = { headers: { 'x-api-key': 'demo-editor-key' }, ...json({ summary }) };
/** Each row as an event of each payload format. */
export const requests: readonly Request[] = Object.entries(rows).flatMap(([name, [differs, outcome]]) =>
  Object.entries(formats).map(([format, toEvent]) => {
    const event = toEvent({ ...good, ...differs, headers: { ...good.headers, ...differs.headers } });
    return [`${name} in format ${format}`, event, outcome] as const;
  }),
);

/** The outcomes by the name of their row. */
export const outcomes: Readonly<Record<string, Outcome>> = Object.fromEntries(
  Object.entries(rows).map(([name, [, outcome]]) => [name, outcome]),
);

const folder = new URL('../../events/', import.meta.url);
/** The events of events/. Each is named after the row whose outcome it has; `-rest` means format 1.0. */
export const events: readonly Request[] = readdirSync(folder).map((file) => {
  const outcome = outcomes[file.replace(/(-rest)?\.json$/, '')];
  if (outcome === undefined) throw new Error(`events/${file} has no row in the table of outcomes`);
  return [`events/${file}`, JSON.parse(readFileSync(new URL(file, folder), 'utf8')), outcome];
});
