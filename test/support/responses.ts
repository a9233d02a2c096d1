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
  /** What the log says: the only reason of the code, or the one that most cases have. */
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The response to each error code, once for all tests. */
export const errors: Readonly<Record<ErrorCode, ErrorRow>> = {
  'user-id-missing': { status: 400, message: 'x-user-id is required', reason: 'header is missing or blank' },
  'user-id-invalid': {
    status: 400,
    message: 'x-user-id must be 1 to 128 characters of printable ASCII without a space or comma',
    reason: 'header is malformed',
  },
  'tenant-id-missing': {
    status: 400,
    message: 'x-tenant-id is required',
    reason: 'header is missing or blank',
  },
  'tenant-id-invalid': {
    status: 400,
    message: 'x-tenant-id must be 1 to 128 characters of printable ASCII without a space or comma',
    reason: 'header is malformed',
  },
  'api-key-invalid': {
    status: 401,
    message: 'Invalid API Key',
    headers: { 'www-authenticate': 'ApiKey realm="space-files"' },
  },
  'permission-denied': { status: 403, message: 'API Key does not have permission to access this resource' },
  'content-type-unsupported': {
    status: 415,
    message: 'Content-Type must be application/json, with no charset or charset=utf-8',
    reason: 'Content-Type is not JSON in UTF-8',
    headers: { 'accept-patch': 'application/json, application/merge-patch+json' },
  },
  'content-encoding-unsupported': {
    status: 415,
    message: 'Content-Encoding is not supported; send the body without it',
    reason: 'body is encoded',
    headers: { 'accept-encoding': 'identity' },
  },
  'body-too-large': { status: 413, message: 'Request body must be at most 131072 bytes' },
  'body-missing': { status: 400, message: 'Request body is required', reason: 'no body' },
  'body-not-json': {
    status: 400,
    message: 'Request body is not valid JSON in UTF-8',
    reason: 'body is not JSON',
  },
  'body-not-object': {
    status: 400,
    message: 'Request body must be a JSON object',
    reason: 'body is JSON but no object',
  },
  'patch-empty': {
    status: 400,
    message: `At least one of ${editableFields.join(', ')} must be provided`,
    reason: 'body names no field',
  },
  // The message names the field instead.
  'patch-invalid': { status: 400, message: '', reason: 'fields do not fit' },
  'space-not-found': { status: 404, message: 'Space not found', reason: 'tenant has no such space' },
  'file-not-found': { status: 404, message: 'File not found', reason: 'space has no such file' },
  'idempotency-key-invalid': {
    status: 400,
    message:
      'Idempotency-Key must be 1 to 128 characters of printable ASCII without a comma, in double quotes or without quotes',
    reason: 'header is malformed',
  },
  'if-match-invalid': {
    status: 400,
    message: 'If-Match must be * or 1 to 100 etags, each in double quotes and without a space',
    reason: 'header is malformed',
  },
  'idempotency-key-reused': {
    status: 422,
    message: 'Idempotency-Key was used for another request; send a new key',
    reason: 'key was used with another body',
  },
  'file-changed': {
    status: 412,
    message: 'The current etag of the file is not in If-Match',
    reason: 'If-Match does not match',
    headers: { etag: '"0"' },
  },
  'file-too-large': {
    status: 413,
    message: 'File metadata would exceed 400 KB',
    reason: 'item would exceed 400 KB',
  },
  unavailable: { status: 503, message: 'Service Unavailable', headers: { 'retry-after': '1' } },
  'internal-error': { status: 500, message: 'Internal Server Error' },
};
