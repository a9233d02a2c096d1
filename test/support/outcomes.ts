import { readdirSync } from 'node:fs';
import type { ErrorCode } from '#lib/domain/errors.ts';
import demo from '#tools/tables/demo-data.json' with { type: 'json' };
import { FIRST_VERSION, firstWrite, replayedFile, unknownField } from './given.ts';
import { errors } from './responses.ts';

/** The events of events/ by name. */
export const eventNames = readdirSync(new URL('../../events/', import.meta.url)).map((file) =>
  file.replace(/\.json$/, ''),
);

/** The response to an event of events/, its line in the log, and what the request leaves of the stored record. */
export type Outcome = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly log: { readonly outcome: string; readonly reason?: string };
  /** Attributes that differ afterwards; undefined means removed. Absent: the record is unchanged. */
  readonly changes?: Record<string, unknown>;
};

/** The files of the demo data that the events change, as a client sees them before. */
const [onboarding, contacts, roadmap] = demo.files.map(({ spaceId: _, fileId: id, ...file }) => ({
  id,
  ...file,
}));

const metadata = (updatedBy: string) => ({ ...firstWrite(), updatedBy });

type Fields = { readonly summary?: string | null; readonly documentKind?: string | null };
const updated = (view: object | undefined, fields: Fields, updatedBy = 'grace'): Outcome => {
  const stored = Object.entries(fields).map(([name, value]) => [name, value ?? undefined]);
  return {
    status: 200,
    body: { ...view, ...fields },
    headers: { etag: `"${FIRST_VERSION}"` },
    log: { outcome: 'updated' },
    changes: { ...Object.fromEntries(stored), ...metadata(updatedBy) },
  };
};

const { spaceId: _, fileId, version, w1: __, ...fields } = replayedFile;
const replayed: Outcome = {
  status: 200,
  body: { id: fileId, ...fields },
  headers: { etag: `"${version}"`, 'idempotency-replayed': 'true' },
  log: { outcome: 'updated' },
};

const summary = 'What to do in the first week.';
const updates: Readonly<Record<string, Outcome>> = {
  updated: updated(onboarding, { summary, documentKind: 'checklist' }),
  'updated-basic-shape': updated(contacts, { documentKind: 'directory' }),
  'updated-merge-patch': updated(onboarding, { summary }),
  'updated-base64': updated(onboarding, { summary: 'Grüße 👋' }),
  'updated-empty-string': updated(onboarding, { summary: '' }),
  'updated-by-owner': updated({ summary: null, ...roadmap }, { documentKind: 'plan' }, 'ada'),
  'updated-if-match': updated(onboarding, { summary }),
  'updated-replayed': replayed,
  'updated-function-url': updated(onboarding, { summary, documentKind: 'checklist' }),
  'updated-load-balancer': updated(onboarding, { summary, documentKind: 'checklist' }),
  'updated-proxy-rest': updated(onboarding, { summary, documentKind: 'checklist' }),
  cleared: updated(onboarding, { summary: null }),
  'cleared-both': updated(onboarding, { summary: null, documentKind: null }),
  'set-and-cleared': updated(onboarding, { summary, documentKind: null }),
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

/** The error code, the reason in the log, and the message if the code has several. */
const rejections: Readonly<Record<string, readonly [code: ErrorCode, reason: string, message?: string]>> = {
  'function-url-method': ['user-id-missing', 'event is not a PATCH request of a known format'],
  'function-url-path': ['user-id-missing', 'path is not /v1/spaces/{spaceId}/files/{fileId}'],
  'user-id-missing': ['user-id-missing', 'header is missing or blank'],
  'user-id-blank': ['user-id-missing', 'header is missing or blank'],
  'user-id-invalid': ['user-id-invalid', 'header is malformed'],
  'tenant-id-missing': ['tenant-id-missing', 'header is missing or blank'],
  'tenant-id-invalid': ['tenant-id-invalid', 'header is malformed'],
  'api-key-missing': ['api-key-invalid', 'key is missing'],
  'api-key-malformed': ['api-key-invalid', 'key is malformed'],
  'api-key-unknown': ['api-key-invalid', 'key is unknown'],
  'api-key-revoked': ['api-key-invalid', 'key is revoked'],
  'api-key-expired': ['api-key-invalid', 'key is expired'],
  'permission-other-tenant': ['permission-denied', 'key belongs to another tenant'],
  'permission-other-scope': ['permission-denied', 'scope of the key is not PRODUCT'],
  'permission-viewer': ['permission-denied', 'no role of the key grants files:update'],
  'permission-private-space': ['permission-denied', 'space is private and the caller is not its owner'],
  'content-type-missing': ['content-type-unsupported', 'Content-Type is not JSON in UTF-8'],
  'content-type-unsupported': ['content-type-unsupported', 'Content-Type is not JSON in UTF-8'],
  'content-type-charset': ['content-type-unsupported', 'Content-Type is not JSON in UTF-8'],
  'content-encoding-unsupported': ['content-encoding-unsupported', 'body is encoded'],
  'body-too-large': ['body-too-large', 'body of 131086 bytes'],
  'body-missing': ['body-missing', 'no body'],
  'body-empty': ['body-missing', 'no body'],
  'body-not-utf8': ['body-not-json', 'body is not UTF-8'],
  'body-with-bom': ['body-not-json', 'body is not JSON'],
  'body-not-json': ['body-not-json', 'body is not JSON'],
  'body-array': ['body-not-object', 'body is JSON but no object'],
  'body-null': ['body-not-object', 'body is JSON but no object'],
  'field-repeated': ['patch-invalid', 'a field is sent twice', 'Duplicate field "summary"'],
  'patch-empty': ['patch-empty', 'body names no field'],
  'field-not-editable': ['patch-invalid', 'fields do not fit', 'Field "language" is not editable'],
  'field-unknown': ['patch-invalid', 'fields do not fit', unknownField('x')],
  'several-problems': ['patch-invalid', 'fields do not fit', severalProblems.join('; ')],
  'summary-wrong-type': ['patch-invalid', 'fields do not fit', noText],
  'summary-too-long': ['patch-invalid', 'fields do not fit', 'summary must be at most 10000 characters'],
  'document-kind-too-long': ['patch-invalid', 'fields do not fit', longKind],
  'summary-invalid-unicode': ['patch-invalid', 'fields do not fit', 'summary contains invalid Unicode'],
  'space-not-found': ['space-not-found', 'tenant has no such space'],
  'space-of-another-tenant': ['space-not-found', 'tenant has no such space'],
  'space-id-impossible': ['space-not-found', 'tenant has no such space'],
  'file-not-found': ['file-not-found', 'space has no such file'],
  'file-of-another-space': ['file-not-found', 'space has no such file'],
  'file-id-impossible': ['file-not-found', 'file id is one that no table could hold'],
  'file-changed': ['file-changed', 'If-Match does not match'],
  'idempotency-key-invalid': ['idempotency-key-invalid', 'header is malformed'],
  'idempotency-key-reused': ['idempotency-key-reused', 'key was used with another body'],
  'if-match-invalid': ['if-match-invalid', 'header is malformed'],
  'file-too-large': ['file-too-large', 'item would exceed 400 KB'],
  'service-unavailable': ['unavailable', 'deadline passed'],
  'wrong-trigger': [
    'internal-error',
    'wrong trigger: use the route PATCH /v1/spaces/{spaceId}/files/{fileId}, which has path parameters',
  ],
  'internal-server-error': ['internal-error', 'file record does not fit: language: invalid_type'],
};

const rejected = Object.entries(rejections).map(([name, [outcome, reason, message]]) => {
  const { status, message: fixed, headers: more } = errors[outcome];
  const body = { message: message ?? fixed };
  const headers = { 'x-error-code': outcome, ...more };
  // The write of this event names only what was sent, so it is applied. But the record is no file.
  const changes = name === 'internal-server-error' && { changes: { summary, ...metadata('grace') } };
  return [name, { status, body, headers, log: { outcome, reason }, ...changes }] as const;
});

const base: Readonly<Record<string, Outcome>> = { ...updates, ...Object.fromEntries(rejected) };

/** An event in payload format 1.0 has the outcome of the same event in 2.0. */
const format1 = Object.entries(base)
  .filter(([name]) => eventNames.includes(`${name}-rest`))
  .map(([name, outcome]) => [`${name}-rest`, outcome] as const);

/** By the name of the event. */
export const outcomes: Readonly<Record<string, Outcome>> = { ...base, ...Object.fromEntries(format1) };
