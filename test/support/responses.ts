import type { ErrorCode } from '#lib/domain/errors.ts';
import { editableFields } from '#lib/domain/file-patch.ts';

const standardHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** A whole response with the headers that every response carries. */
export const aResponse = (
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
  requestId = 'request-1',
) => ({
  statusCode,
  headers: { ...standardHeaders, ...headers, 'x-request-id': requestId },
  body: JSON.stringify(body),
});

type ErrorRow = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The response to each error code, once for all tests. */
export const errors: Readonly<Record<ErrorCode, ErrorRow>> = {
  'user-id-missing': { status: 400, message: 'x-user-id is required' },
  'user-id-invalid': { status: 400, message: 'x-user-id is invalid' },
  'tenant-id-missing': { status: 400, message: 'x-tenant-id is required' },
  'tenant-id-invalid': { status: 400, message: 'x-tenant-id is invalid' },
  'api-key-invalid': { status: 401, message: 'Invalid API Key' },
  'permission-denied': { status: 403, message: 'API Key does not have permission to access this resource' },
  'content-type-unsupported': {
    status: 415,
    message: 'Content-Type must be application/json',
    headers: { 'accept-patch': 'application/json, application/merge-patch+json' },
  },
  'content-encoding-unsupported': { status: 415, message: 'Content-Encoding is not supported' },
  'body-too-large': { status: 413, message: 'Request body is too large' },
  'body-missing': { status: 400, message: 'Request body is required' },
  'body-not-json': { status: 400, message: 'Request body is not valid JSON' },
  'body-not-object': { status: 400, message: 'Request body must be a JSON object' },
  'patch-empty': { status: 400, message: `At least one of ${editableFields.join(', ')} must be provided` },
  // The message names the field instead.
  'patch-invalid': { status: 400, message: '' },
  'space-not-found': { status: 404, message: 'Space not found' },
  'file-not-found': { status: 404, message: 'File not found' },
  'idempotency-key-invalid': { status: 400, message: 'Idempotency-Key is invalid' },
  'if-match-invalid': { status: 400, message: 'If-Match is invalid' },
  'idempotency-key-reused': { status: 422, message: 'Idempotency-Key was used for another request' },
  'file-changed': { status: 412, message: 'File was changed by another request', headers: { etag: '"0"' } },
  'file-too-large': { status: 413, message: 'File metadata is too large' },
  unavailable: { status: 503, message: 'Service Unavailable', headers: { 'retry-after': '1' } },
  'internal-error': { status: 500, message: 'Internal Server Error' },
};
