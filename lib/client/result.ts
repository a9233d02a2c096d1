import type { FileView } from './file-view.ts';

/** Refusals that say all they have to say by their code and message. */
export type RefusalCode =
  | 'invalid-request'
  | 'invalid-api-key'
  | 'permission-denied'
  | 'space-not-found'
  | 'file-not-found'
  | 'too-large'
  | 'unsupported-media-type';
type Answered = { readonly status: number; readonly requestId: string | undefined };
type Unanswered = { readonly status: undefined; readonly requestId: undefined };

/** Why there is no updated file to give. `code` tells the kinds apart; docs/client.md says what to do about each. */
export type UpdateError = {
  readonly message: string;
  /** Whether the same request, sent again, may be answered otherwise. */
  readonly retryable: boolean;
  /** Whether the change may be in place all the same: an attempt was lost, or answered 5xx. */
  readonly mayBeApplied: boolean;
} & (
  | (Answered & { readonly code: RefusalCode | 'unexpected-answer' })
  /** `etag` is the file's current one. */
  | (Answered & { readonly code: 'file-changed' | 'outcome-unknown'; readonly etag: string })
  /** `retryAfterMs` is what the service asks to wait, in milliseconds; 0 when it does not say. */
  | (Answered & {
      readonly code: 'throttled' | 'unavailable' | 'internal-error';
      readonly retryAfterMs: number;
    })
  | (Unanswered & { readonly code: 'network' | 'aborted'; readonly cause: unknown })
  | (Unanswered & { readonly code: 'not-sent' })
);

/** How an update ended. */
export type UpdateResult =
  | {
      readonly ok: true;
      readonly file: FileView;
      readonly etag: string;
      readonly requestId: string | undefined;
    }
  | { readonly ok: false; readonly error: UpdateError };

const nothing = { status: undefined, requestId: undefined };

/** The result when no request was sent: `message` says what is wrong with it. */
export const notSent = (message: string): UpdateResult => ({
  ok: false,
  error: { ...nothing, code: 'not-sent', message, retryable: false, mayBeApplied: false },
});

/** The result when the last attempt got no whole answer. `cause` is what fetch threw, or the signal's reason. */
export const unanswered = (
  code: 'network' | 'aborted',
  { mayBeApplied, cause }: { mayBeApplied: boolean; cause: unknown },
): UpdateResult => {
  const message =
    code === 'network' ? 'The connection was lost, or no answer came in time' : 'The signal ended it';
  return {
    ok: false,
    error: { ...nothing, code, message, retryable: code === 'network', mayBeApplied, cause },
  };
};
