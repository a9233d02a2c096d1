import type { FileView } from './file-view.ts';

/** The values of the header `x-error-code` that are final: a repeated request gets the same response. */
export const rejectionCodes = [
  'user-id-missing',
  'user-id-invalid',
  'tenant-id-missing',
  'tenant-id-invalid',
  'api-key-invalid',
  'permission-denied',
  'content-type-unsupported',
  'content-encoding-unsupported',
  'body-too-large',
  'body-missing',
  'body-not-json',
  'body-not-object',
  'patch-empty',
  'patch-invalid',
  'space-not-found',
  'file-not-found',
  'idempotency-key-invalid',
  'idempotency-key-reused',
  'if-match-invalid',
  'file-too-large',
] as const;
type Responded = { readonly status: number; readonly requestId: string | undefined };
type NoResponse = { readonly status: undefined; readonly requestId: undefined };

/** Why an update failed. docs/client.md says what to do for each `code`. */
export type UpdateError = {
  readonly message: string;
  /** Whether the same request may succeed when it is sent again. */
  readonly retryable: boolean;
  /** Whether the update may have been applied, by the last attempt or by an earlier one. */
  readonly mayBeApplied: boolean;
} & (
  | (Responded & { readonly code: (typeof rejectionCodes)[number] | 'unexpected-response' })
  /** `etag` is the current one of the file. */
  | (Responded & { readonly code: 'file-changed'; readonly etag: string })
  /** `retryAfterMs`: the milliseconds of `retry-after`, or 0 without it. */
  | (Responded & {
      readonly code: 'throttled' | 'unavailable' | 'internal-error';
      readonly retryAfterMs: number;
    })
  | (NoResponse & { readonly code: 'network' | 'aborted'; readonly cause: unknown })
  | (NoResponse & { readonly code: 'not-sent' })
);

/** How an update ended. */
export type UpdateResult =
  | {
      readonly ok: true;
      readonly file: FileView;
      readonly etag: string;
      /** An earlier attempt was applied. The file and the etag are those of now. */
      readonly replayed: boolean;
      readonly requestId: string | undefined;
    }
  | { readonly ok: false; readonly error: UpdateError };

const nothing = { status: undefined, requestId: undefined };

/** The result when no request was sent. `message` says why. */
export const notSent = (message: string): UpdateResult => ({
  ok: false,
  error: { ...nothing, code: 'not-sent', message, retryable: false, mayBeApplied: false },
});

type NoResponseDetails = {
  readonly message: string;
  readonly mayBeApplied: boolean;
  readonly cause: unknown;
};

/** The result when the last attempt got no complete response. `cause` is the error of fetch, or of the timeout. */
export const networkError = (details: NoResponseDetails): UpdateResult => ({
  ok: false,
  error: { ...nothing, code: 'network', retryable: true, ...details },
});

/** The result when the signal was aborted. `cause` is its reason. */
export const aborted = (mayBeApplied: boolean, cause: unknown): UpdateResult => {
  const message = 'The signal was aborted';
  return {
    ok: false,
    error: { ...nothing, code: 'aborted', retryable: false, message, mayBeApplied, cause },
  };
};
