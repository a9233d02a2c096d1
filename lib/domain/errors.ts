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
  readonly message?: string;
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

/**
 * Something that must not happen: a record that fits no shape, a missing setting. The response is an opaque 500. The
 * message goes to the log as it is, so it names attributes and variables and never holds a value.
 */
export class InternalError extends Error {
  override readonly name = 'InternalError';
  /** Ids of the record, for the log. */
  readonly ids: Readonly<Record<string, string>>;

  constructor(message: string, ids: Readonly<Record<string, string>> = {}) {
    super(message);
    this.ids = ids;
  }
}
