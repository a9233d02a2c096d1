/** Every outcome other than 200. A closed list: lib/http/responses.ts maps each to its status and message. */
export type ErrorCode =
  | 'user-id-missing'
  | 'user-id-invalid'
  | 'tenant-id-missing'
  | 'tenant-id-invalid'
  | 'api-key-invalid'
  | 'permission-denied'
  | 'content-type-unsupported'
  | 'content-encoding-unsupported'
  | 'body-too-large'
  | 'body-missing'
  | 'body-not-json'
  | 'body-not-object'
  | 'patch-empty'
  | 'patch-invalid'
  | 'space-not-found'
  | 'file-not-found'
  | 'idempotency-key-invalid'
  | 'if-match-invalid'
  | 'idempotency-key-reused'
  | 'file-changed'
  | 'file-too-large'
  | 'unavailable'
  | 'internal-error';

/** What an API error carries besides its code. */
export type ErrorDetails = {
  /** The exact reason, for the operator's log only. Never a value that a client sent. */
  readonly reason: string;
  /** What the client reads instead of the code's fixed message; names of fields only, never values. */
  readonly clientMessage?: string;
  /** The stored version of the file, where the client may learn it (412). */
  readonly version?: number;
  readonly cause?: unknown;
};

/** An expected outcome with a response of its own. Thrown anywhere, mapped to a response in one place. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails) {
    super(details.reason);
    this.code = code;
    this.details = details;
  }
}

/** Each reason of a 503, as the log has it. docs/operations.md says what to do. */
export const unavailableReasons = [
  'deadline passed',
  'operation did not settle before the deadline',
  'other writers were faster each time',
  'rejected after an attempt with unknown outcome',
  'retry budget used up',
] as const;

/** 503: the effect of the request is unknown. */
export const unavailable = (reason: (typeof unavailableReasons)[number], cause?: unknown) =>
  new ApiError('unavailable', { reason, cause });

/** How each reason of a 500 begins, as the log has it. docs/operations.md says what to do. */
export const internalReasons = [
  'API key record does not fit',
  'access read',
  'file record does not fit',
  'not set',
  'nothing was returned',
  'nothing was thrown',
  'space record does not fit',
  'update',
  'wrong trigger',
] as const;
type InternalReason = (typeof internalReasons)[number];

/**
 * Something that must not happen: a record that fits no shape, a missing setting. The response is an opaque 500. The
 * message goes to the log as it is, so it names attributes and variables and never holds a value.
 */
export class InternalError extends Error {
  override readonly name = 'InternalError';
  /** Ids of the record, for the log. */
  readonly ids: Readonly<Record<string, string>>;

  constructor(
    message: InternalReason | `${InternalReason}: ${string}`,
    ids: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.ids = ids;
  }
}
