import { FIRST_VERSION } from './given.ts';

/** The response to an event of events/, its line in the log, and what the request leaves of the stored record. */
export type Outcome = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly log: { readonly outcome: string; readonly reason?: string };
  /** Attributes that differ afterwards; undefined means removed. Absent: the record is unchanged. */
  readonly changes?: Record<string, unknown>;
};

const onboarding = {
  id: '3f2b8c1e-6a4d-4c57-9e0f-1b7a2d9c5e80',
  originalName: 'onboarding.pdf',
  summary: 'How the first week goes.',
  language: 'en',
  documentKind: 'guide',
  domain: 'hr',
  chunksCount: 12,
  charactersCount: 18450,
  tags: [
    { key: 'audience', value: 'new hires', aiExtracted: true },
    { key: 'status', value: 'approved', aiExtracted: false },
  ],
};
const contacts = {
  id: 'a71d0c52-8f3e-4b69-b2d4-5c6e7f809112',
  summary: 'Who answers which question.',
  language: 'de',
  documentKind: 'contact list',
  domain: 'hr',
  tags: [],
};
const roadmap = {
  id: 'c9e4f6a8-1d2b-4e3c-8a5f-90b1c2d3e4f5',
  originalName: 'roadmap.md',
  summary: null,
  language: 'en',
  documentKind: null,
  domain: 'product',
  chunksCount: 3,
  charactersCount: 4100,
  tags: [{ key: 'quarter', value: 'Q4', aiExtracted: false }],
};
const summary = 'What to do in the first week.';

type Fields = { readonly summary?: string | null; readonly documentKind?: string | null };
/** The fields of a patch as the record has them afterwards. */
const stored = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? undefined]));
const metadata = (updatedBy: string) => ({ version: FIRST_VERSION, requestId: 'request-1', updatedBy });

const updated = (view: object, fields: Fields, updatedBy = 'grace'): Outcome => ({
  status: 200,
  body: { ...view, ...fields },
  headers: { etag: `"${FIRST_VERSION}"` },
  log: { outcome: 'updated' },
  changes: { ...stored(fields), ...metadata(updatedBy) },
});

const rejected = (
  status: number,
  message: string,
  [outcome, reason]: readonly [string, string],
  headers?: Record<string, string>,
): Outcome => ({ status, body: { message }, ...(headers && { headers }), log: { outcome, reason } });

const apiKeyInvalid = (reason: string) => rejected(401, 'Invalid API Key', ['api-key-invalid', reason]);
const permissionDenied = (reason: string) =>
  rejected(403, 'API Key does not have permission to access this resource', ['permission-denied', reason]);
const contentTypeUnsupported = rejected(
  415,
  'Content-Type must be application/json',
  ['content-type-unsupported', 'Content-Type is not JSON in UTF-8'],
  { 'accept-patch': 'application/json, application/merge-patch+json' },
);
const idMissing = (header: string) =>
  rejected(400, `x-${header} is required`, [`${header}-missing`, 'header is missing or blank']);
const idInvalid = (header: string) =>
  rejected(400, `x-${header} is invalid`, [`${header}-invalid`, 'header is malformed']);
const bodyMissing = rejected(400, 'Request body is required', ['body-missing', 'no body']);
const bodyNotJson = (reason: string) =>
  rejected(400, 'Request body is not valid JSON', ['body-not-json', reason]);
const bodyNotObject = rejected(400, 'Request body must be a JSON object', [
  'body-not-object',
  'body is JSON but no object',
]);
const patchInvalid = (...problems: readonly string[]) =>
  rejected(400, problems.join('; '), ['patch-invalid', 'fields do not fit']);
const unknownField = (name: string) => `Unknown field "${name}"; editable fields are summary, documentKind`;
const spaceNotFound = rejected(404, 'Space not found', ['space-not-found', 'tenant has no such space']);
const fileNotFound = (reason: string) => rejected(404, 'File not found', ['file-not-found', reason]);

const base: Readonly<Record<string, Outcome>> = {
  updated: updated(onboarding, { summary, documentKind: 'checklist' }),
  'updated-basic-shape': updated(contacts, { documentKind: 'directory' }),
  'updated-merge-patch': updated(onboarding, { summary }),
  'updated-base64': updated(onboarding, { summary: 'Grüße 👋' }),
  'updated-empty-string': updated(onboarding, { summary: '' }),
  'updated-by-owner': updated(roadmap, { documentKind: 'plan' }, 'ada'),
  'updated-if-match': updated(onboarding, { summary }),
  cleared: updated(onboarding, { summary: null }),
  'cleared-both': updated(onboarding, { summary: null, documentKind: null }),
  'set-and-cleared': updated(onboarding, { summary, documentKind: null }),
  'user-id-missing': idMissing('user-id'),
  'user-id-blank': idMissing('user-id'),
  'user-id-invalid': idInvalid('user-id'),
  'tenant-id-missing': idMissing('tenant-id'),
  'tenant-id-invalid': idInvalid('tenant-id'),
  'api-key-missing': apiKeyInvalid('key is missing'),
  'api-key-malformed': apiKeyInvalid('key is malformed'),
  'api-key-unknown': apiKeyInvalid('key is unknown'),
  'api-key-revoked': apiKeyInvalid('key is revoked'),
  'api-key-expired': apiKeyInvalid('key is expired'),
  'permission-other-tenant': permissionDenied('key belongs to another tenant'),
  'permission-other-scope': permissionDenied('scope of the key is not PRODUCT'),
  'permission-viewer': permissionDenied('no role of the key grants files:update'),
  'permission-private-space': permissionDenied('space is private and the caller is not its owner'),
  'content-type-missing': contentTypeUnsupported,
  'content-type-unsupported': contentTypeUnsupported,
  'content-type-charset': contentTypeUnsupported,
  'content-encoding-unsupported': rejected(415, 'Content-Encoding is not supported', [
    'content-encoding-unsupported',
    'body is encoded',
  ]),
  'body-too-large': rejected(413, 'Request body is too large', ['body-too-large', 'body of 131086 bytes']),
  'body-missing': bodyMissing,
  'body-empty': bodyMissing,
  'body-not-utf8': bodyNotJson('body is not UTF-8'),
  'body-with-bom': bodyNotJson('body is not JSON'),
  'body-not-json': bodyNotJson('body is not JSON'),
  'body-array': bodyNotObject,
  'body-null': bodyNotObject,
  'field-repeated': rejected(400, 'Duplicate field "summary"', ['patch-invalid', 'a field is sent twice']),
  'patch-empty': rejected(400, 'At least one of summary, documentKind must be provided', [
    'patch-empty',
    'body names no field',
  ]),
  'field-not-editable': patchInvalid('Field "language" is not editable'),
  'field-unknown': patchInvalid(unknownField('x')),
  'several-problems': patchInvalid(
    'Field "tags" is not editable',
    'summary must be a string or null',
    unknownField('x'),
    'documentKind must be at most 256 characters',
    unknownField('2'),
  ),
  'summary-wrong-type': patchInvalid('summary must be a string or null'),
  'summary-too-long': patchInvalid('summary must be at most 10000 characters'),
  'document-kind-too-long': patchInvalid('documentKind must be at most 256 characters'),
  'summary-invalid-unicode': patchInvalid('summary contains invalid Unicode'),
  'space-not-found': spaceNotFound,
  'space-of-another-tenant': spaceNotFound,
  'space-id-impossible': spaceNotFound,
  'file-not-found': fileNotFound('space has no such file'),
  'file-of-another-space': fileNotFound('space has no such file'),
  'file-id-impossible': fileNotFound('file id is one that no table could hold'),
  'file-changed': rejected(
    412,
    'File was changed by another request',
    ['file-changed', 'If-Match does not match'],
    { etag: '"0"' },
  ),
  'if-match-invalid': rejected(400, 'If-Match is invalid', ['if-match-invalid', 'If-Match is unreadable']),
  'file-too-large': rejected(413, 'File metadata is too large', [
    'file-too-large',
    'item would exceed 400 KB',
  ]),
  'service-unavailable': rejected(503, 'Service Unavailable', ['unavailable', 'deadline passed'], {
    'retry-after': '1',
  }),
  // The write names only what was sent, so it is applied; but the record cannot be sent as a file.
  'internal-server-error': {
    ...rejected(500, 'Internal Server Error', [
      'internal-error',
      'file record does not fit: language: invalid_type',
    ]),
    changes: { summary, ...metadata('grace') },
  },
};

/** The events that exist in payload format 1.0 too. Their outcomes are the same. */
const inBothFormats = [
  ...['updated', 'cleared', 'user-id-missing', 'user-id-invalid', 'api-key-unknown', 'permission-viewer'],
  ...['body-missing', 'body-not-json', 'space-not-found', 'file-not-found', 'file-changed'],
];

const format1 = Object.entries(base)
  .filter(([name]) => inBothFormats.includes(name))
  .map(([name, outcome]) => [`${name}-rest`, outcome] as const);

/** By the name of the event. */
export const outcomes: Readonly<Record<string, Outcome>> = { ...base, ...Object.fromEntries(format1) };
