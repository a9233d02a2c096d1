import type { FailureCode } from '#lib/domain/failure.ts';
import { acceptedMediaTypes } from './media-type.ts';

/** How one outcome is answered. A failure's own message, where it has one, takes the place of the fixed one. */
export type Answer = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The one table of error answers: docs/contract.md tells it to people. */
export const answers: Readonly<Record<FailureCode, Answer>> = {
  'user-id-missing': { status: 400, message: 'x-user-id is required' },
  'user-id-invalid': { status: 400, message: 'x-user-id is invalid' },
  'tenant-id-missing': { status: 400, message: 'x-tenant-id is required' },
  'tenant-id-invalid': { status: 400, message: 'x-tenant-id is invalid' },
  'api-key-invalid': { status: 401, message: 'Invalid API Key' },
  'permission-denied': { status: 403, message: 'API Key does not have permission to access this resource' },
  'content-type-unsupported': {
    status: 415,
    message: 'Content-Type must be application/json',
    headers: { 'accept-patch': acceptedMediaTypes.join(', ') },
  },
  'content-encoding-unsupported': { status: 415, message: 'Content-Encoding is not supported' },
  'body-too-large': { status: 413, message: 'Request body is too large' },
  'body-missing': { status: 400, message: 'Request body is required' },
  'body-not-json': { status: 400, message: 'Request body is not valid JSON' },
  'body-not-object': { status: 400, message: 'Request body must be a JSON object' },
  'patch-empty': { status: 400, message: 'At least one of summary, documentKind must be provided' },
  'patch-invalid': { status: 400, message: 'Request body is invalid' },
  'space-not-found': { status: 404, message: 'Space not found' },
  'file-not-found': { status: 404, message: 'File not found' },
  'if-match-invalid': { status: 400, message: 'If-Match is invalid' },
  'file-changed': { status: 412, message: 'File was changed by another request' },
  'file-too-large': { status: 413, message: 'File metadata is too large' },
  unavailable: { status: 503, message: 'Service Unavailable', headers: { 'retry-after': '1' } },
  'internal-error': { status: 500, message: 'Internal Server Error' },
};
