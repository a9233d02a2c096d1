import type { Outcome } from './outcome.ts';
import { summary } from './updates.ts';

const refused = (status: number, message: string, headers?: Record<string, string>): Outcome => ({
  status,
  body: { message },
  ...(headers && { headers }),
});

const noPermission = refused(403, 'API Key does not have permission to access this resource');
const noContentType = refused(415, 'Content-Type must be application/json', {
  'accept-patch': 'application/json, application/merge-patch+json',
});
const invalidKey = refused(401, 'Invalid API Key');
const notJson = refused(400, 'Request body is not valid JSON');
const changed = refused(412, 'File was changed by another request', { etag: '"0"' });

/** The fixtures that are refused. */
export const refusals: Readonly<Record<string, Outcome>> = {
  'user-id-missing': refused(400, 'x-user-id is required'),
  'user-id-blank': refused(400, 'x-user-id is required'),
  'user-id-invalid': refused(400, 'x-user-id is invalid'),
  'tenant-id-missing': refused(400, 'x-tenant-id is required'),
  'tenant-id-invalid': refused(400, 'x-tenant-id is invalid'),
  'api-key-missing': invalidKey,
  'api-key-malformed': invalidKey,
  'api-key-unknown': invalidKey,
  'api-key-revoked': invalidKey,
  'api-key-expired': invalidKey,
  'permission-other-tenant': noPermission,
  'permission-other-scope': noPermission,
  'permission-viewer': noPermission,
  'permission-private-space': noPermission,
  'content-type-missing': noContentType,
  'content-type-unsupported': noContentType,
  'content-type-charset': noContentType,
  'content-encoding-unsupported': refused(415, 'Content-Encoding is not supported'),
  'body-too-large': refused(413, 'Request body is too large'),
  'body-missing': refused(400, 'Request body is required'),
  'body-empty': refused(400, 'Request body is required'),
  'body-not-utf8': notJson,
  'body-with-bom': notJson,
  'body-not-json': notJson,
  'body-array': refused(400, 'Request body must be a JSON object'),
  'body-null': refused(400, 'Request body must be a JSON object'),
  'field-repeated': refused(400, 'Duplicate field "summary"'),
  'patch-empty': refused(400, 'At least one of summary, documentKind must be provided'),
  'field-not-editable': refused(400, 'Field "language" is not editable'),
  'field-unknown': refused(400, 'Unknown field "x"; editable fields are summary, documentKind'),
  'several-problems': refused(
    400,
    [
      'Field "tags" is not editable',
      'summary must be a string or null',
      'Unknown field "x"; editable fields are summary, documentKind',
      'documentKind must be at most 256 characters',
      'Unknown field "2"; editable fields are summary, documentKind',
    ].join('; '),
  ),
  'summary-wrong-type': refused(400, 'summary must be a string or null'),
  'summary-too-long': refused(400, 'summary must be at most 10000 characters'),
  'document-kind-too-long': refused(400, 'documentKind must be at most 256 characters'),
  'summary-invalid-unicode': refused(400, 'summary contains invalid Unicode'),
  'space-not-found': refused(404, 'Space not found'),
  'space-of-another-tenant': refused(404, 'Space not found'),
  'space-id-impossible': refused(404, 'Space not found'),
  'file-not-found': refused(404, 'File not found'),
  'file-of-another-space': refused(404, 'File not found'),
  'file-id-impossible': refused(404, 'File not found'),
  'file-changed': changed,
  'if-match-invalid': refused(400, 'If-Match is invalid'),
  'file-too-large': refused(413, 'File metadata is too large'),
  'service-unavailable': refused(503, 'Service Unavailable', { 'retry-after': '1' }),
  // The write names only what was sent, so it is applied; it is the answer that cannot be given.
  'internal-server-error': {
    ...refused(500, 'Internal Server Error'),
    changes: { summary, version: 1790000000000000, requestId: 'request-1', updatedBy: 'grace' },
  },
  'user-id-missing-rest': refused(400, 'x-user-id is required'),
  'user-id-invalid-rest': refused(400, 'x-user-id is invalid'),
  'api-key-unknown-rest': invalidKey,
  'permission-viewer-rest': noPermission,
  'body-missing-rest': refused(400, 'Request body is required'),
  'body-not-json-rest': notJson,
  'space-not-found-rest': refused(404, 'Space not found'),
  'file-not-found-rest': refused(404, 'File not found'),
  'file-changed-rest': changed,
};
