/** Every way a request can be answered other than 200. A closed list: lib/http/answers.ts maps each to its status. */
export type FailureCode =
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
  | 'if-match-invalid'
  | 'file-changed'
  | 'file-too-large'
  | 'unavailable'
  | 'internal-error';

/** What a failure carries besides its code. */
export type FailureDetails = {
  /** The true reason, for the operator's log only. Never a value that a client sent. */
  readonly reason: string;
  /** What the client reads instead of the code's fixed message; names of fields only, never values. */
  readonly message?: string;
  /** The stored version of the file, when the client may learn it (412). */
  readonly version?: number;
  readonly cause?: unknown;
};

/** An expected outcome with an answer of its own. Thrown anywhere, met once, at the boundary. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly details: FailureDetails;

  constructor(code: FailureCode, details: FailureDetails) {
    super(details.reason);
    this.code = code;
    this.details = details;
  }
}
