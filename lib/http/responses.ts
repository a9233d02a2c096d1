import { ApiError, type ErrorCode, type ErrorDetails } from '#lib/domain/errors.ts';
import type { UpdatedFile } from '#lib/domain/file.ts';
import { editableFields } from '#lib/domain/file-patch.ts';
import { acceptedMediaTypes, MAX_BODY_BYTES } from './read-file-patch.ts';
import { MAX_ETAGS, MAX_ID_CHARACTERS, MAX_IDEMPOTENCY_KEY_CHARACTERS } from './request-headers.ts';

/** A response that both payload formats understand. */
export type ApiResponse = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The response to one error code. An error's own message, if it has one, replaces the fixed one. */
export type ErrorResponse = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const printable = (maxLength: number) => `must be 1 to ${maxLength} characters of printable ASCII without`;

/** The one table of error responses, described in docs/contract.md. */
export const errorResponses: Readonly<Record<ErrorCode, ErrorResponse>> = {
  'user-id-missing': { status: 400, message: 'x-user-id is required' },
  'user-id-invalid': { status: 400, message: `x-user-id ${printable(MAX_ID_CHARACTERS)} a space or comma` },
  'tenant-id-missing': { status: 400, message: 'x-tenant-id is required' },
  'tenant-id-invalid': {
    status: 400,
    message: `x-tenant-id ${printable(MAX_ID_CHARACTERS)} a space or comma`,
  },
  'api-key-invalid': {
    status: 401,
    message: 'Invalid API Key',
    // RFC 9110, 11.6.1: each 401 has a challenge. Without one, Java's HttpClient can throw instead of showing the 401.
    headers: { 'www-authenticate': 'ApiKey realm="space-files"' },
  },
  'permission-denied': { status: 403, message: 'API Key does not have permission to access this resource' },
  'content-type-unsupported': {
    status: 415,
    message: `Content-Type must be ${acceptedMediaTypes.join(' or ')}, with no charset or charset=utf-8`,
    headers: { 'accept-patch': acceptedMediaTypes.join(', ') },
  },
  'content-encoding-unsupported': {
    status: 415,
    message: 'Content-Encoding is not supported; send the body without it',
    // RFC 9110, 15.5.16: what the response to an encoded body names.
    headers: { 'accept-encoding': 'identity' },
  },
  'body-too-large': { status: 413, message: `Request body must be at most ${MAX_BODY_BYTES} bytes` },
  'body-missing': { status: 400, message: 'Request body is required' },
  'body-not-json': { status: 400, message: 'Request body is not valid JSON in UTF-8' },
  'body-not-object': { status: 400, message: 'Request body must be a JSON object' },
  'patch-empty': { status: 400, message: `At least one of ${editableFields.join(', ')} must be provided` },
  'patch-invalid': { status: 400, message: 'Request body is invalid' },
  'space-not-found': { status: 404, message: 'Space not found' },
  'file-not-found': { status: 404, message: 'File not found' },
  'idempotency-key-invalid': {
    status: 400,
    message: `Idempotency-Key ${printable(MAX_IDEMPOTENCY_KEY_CHARACTERS)} a comma, in double quotes or without quotes`,
  },
  'if-match-invalid': {
    status: 400,
    message: `If-Match must be * or 1 to ${MAX_ETAGS} etags, each in double quotes and without a space`,
  },
  'idempotency-key-reused': {
    status: 422,
    message: 'Idempotency-Key was used for another request; send a new key',
  },
  'file-changed': { status: 412, message: 'The current etag of the file is not in If-Match' },
  'file-too-large': { status: 413, message: 'File metadata would exceed 400 KB' },
  unavailable: { status: 503, message: 'Service Unavailable', headers: { 'retry-after': '1' } },
  'internal-error': { status: 500, message: 'Internal Server Error' },
};

const respond = (statusCode: number, headers: Record<string, string>, body: unknown): ApiResponse => ({
  statusCode,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  body: JSON.stringify(body),
});

/** The strong entity tag of a stored version (RFC 9110, 8.8.3). */
const toEtag = (version: number): string => `"${version}"`;

export const fileResponse = ({ file, version, replayed }: UpdatedFile): ApiResponse =>
  respond(200, { etag: toEtag(version), ...(replayed && { 'idempotency-replayed': 'true' }) }, file);

/** What a client learns of an unexpected error: nothing. */
const opaque: { code: ErrorCode; details: Partial<ErrorDetails> } = { code: 'internal-error', details: {} };

/** An API error gets its own response, and anything else that was thrown an opaque 500. */
export const errorResponse = (error: unknown): ApiResponse => {
  const { code, details } = error instanceof ApiError ? error : opaque;
  const { status, message, headers } = errorResponses[code];
  const etag = details.version === undefined ? {} : { etag: toEtag(details.version) };
  return respond(
    status,
    { 'x-error-code': code, ...headers, ...etag },
    { message: details.clientMessage ?? message },
  );
};
