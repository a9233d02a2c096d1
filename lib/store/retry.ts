import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { unavailable } from '#lib/domain/errors.ts';
import type { RequestContext } from '#lib/request-context.ts';
import { type System, withTimeout } from '#lib/system.ts';
import { ATTEMPT_TIMEOUT_MS, MIN_ATTEMPT_MS } from '#lib/times.ts';

/** How the wait between attempts grows, in milliseconds. */
type Backoff = { readonly base: number; readonly cap: number };
/** After a transient error, when the table may be overloaded. */
const transientBackoff: Backoff = { base: 25, cap: 1000 };
/** After a conflict with another writer, when the table is healthy. */
export const conflictBackoff: Backoff = { base: 1, cap: 50 };

/**
 * The retry budget of one instance, for all its requests together: a token bucket (AWS Builders' Library, "Timeouts,
 * retries, and backoff with jitter"). A retry takes a token, and an attempt that succeeds gives back a part of one, so an
 * outage costs few retries and a single error is still retried.
 */
const RETRY_TOKENS = 100;
/** The part that an attempt gives back. It is the ratio of the SDK's standard mode. */
const TOKENS_PER_SUCCESS = 0.2;

/** A response that says success, without what it must then have. DynamoDB sends none, but a broken proxy might. */
export class IncompleteResponseError extends Error {
  override readonly name = 'IncompleteResponseError';
}

/** DynamoDB has read only a part of a batch, for example because it throttles the rest. */
export class UnprocessedKeysError extends Error {
  override readonly name = 'UnprocessedKeysError';
}

/** Conflicts inside DynamoDB. The call can succeed a moment later, but the SDK does not count all of them as transient. */
const CONFLICTS: readonly string[] = ['TransactionConflictException', 'ReplicatedWriteConflictException'];

type SdkError = Parameters<typeof isTransientError>[0];
const isError = (error: unknown): error is SdkError => error instanceof Error;

/** A code is one word without small letters. One of OpenSSL may have a slash: ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC. */
const CODE = /^[^a-z\s]+$/;
/** How the codes of the layers above the system begin: the HTTP parser, TLS, sockets, streams, HTTP, our limit of a response. */
const TRANSPORT_PREFIXES: readonly string[] = [
  'HPE_',
  'ERR_SSL_',
  'ERR_TLS_',
  'ERR_SOCKET_',
  'ERR_STREAM_',
  'ERR_HTTP_',
  'ERR_HTTP2_',
  'ERR_RESPONSE_',
];
/** A system call or DNS, for example ECONNRESET. UNKNOWN is libuv's code for an error that has no name. */
const isSystemCode = (code: string): boolean =>
  code === 'UNKNOWN' || (code.startsWith('E') && !code.startsWith('ERR_'));
/** A certificate that is not trusted, or a list of revoked ones. */
const isCertificateCode = (code: string): boolean => code.includes('CERT') || code.includes('CRL');
/** The system lacks something or is busy. Any other error of a file is a wrong name or a missing right. */
const TRANSIENT_FILE_CODES: readonly string[] = [
  'EAGAIN',
  'EBUSY',
  'EINTR',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'ESTALE',
  'ETIMEDOUT',
];

/** Node names the path of a file or program. If it knows only the descriptor of a file, its message begins with the code. */
const isOfFile = (error: Error, code: string): boolean =>
  'path' in error || error.message.startsWith(`${code}: `);

/**
 * Whether the way to DynamoDB or back failed: the host, DNS, TCP, TLS, HTTP, or our own limit of a response. This is a rule,
 * not a list, because Node and OpenSSL add codes. A mistake in the code, the installation or the settings would fail again:
 * it is a TypeError or a RangeError, is about a file, or has no code, or one of none of these layers.
 */
const isTransportError = (error: Error): boolean => {
  const code = 'code' in error ? String(error.code) : '';
  if (error instanceof TypeError || error instanceof RangeError || error instanceof DynamoDBServiceException)
    return false;
  if (isOfFile(error, code)) return TRANSIENT_FILE_CODES.includes(code);
  if (!CODE.test(code) || isCertificateCode(code)) return false;
  return isSystemCode(code) || TRANSPORT_PREFIXES.some((prefix) => code.startsWith(prefix));
};

/**
 * DynamoDB compares the time of a signature with its own. The SDK then takes DynamoDB's time from the response, so the
 * next signature fits, but it counts only an expired one as transient.
 */
const isClockRejection = ({ name, message }: Error): boolean =>
  name === 'InvalidSignatureException' && /^Signature (expired|not yet current)/.test(message);

/**
 * What an error says of the call. The SDK's own classification, and what it leaves out: failures on the way, rejections
 * because of a clock, conflicts inside DynamoDB, and responses that cannot be read (SyntaxError: cut JSON, or a foreign
 * body under status 200) or lack a part.
 *
 * @returns `rejected`: DynamoDB says that it did not apply it, and may apply it a moment later. `unknown`: it may have been
 * applied. `final`: it fails again
 */
const classify = (error: SdkError): 'rejected' | 'unknown' | 'final' => {
  if (isThrottlingError(error) || isClockRejection(error) || CONFLICTS.includes(error.name))
    return 'rejected';
  const isUnknown =
    error instanceof IncompleteResponseError ||
    error instanceof UnprocessedKeysError ||
    error instanceof SyntaxError ||
    isTransportError(error) ||
    isTransientError(error) ||
    isServerError(error);
  return isUnknown ? 'unknown' : 'final';
};

type RetryResult<Result> = {
  readonly result: Result;
  /** The error of the latest attempt that failed without telling if it was applied; undefined if each one told. */
  readonly outcomeUnknown: Error | undefined;
};

/**
 * The retry loop of one instance. It is ours and not the SDK's, because only here is it known that a response is
 * incomplete, or that an earlier attempt may have been applied.
 */
export const createRetry = (system: Pick<System, 'uptime' | 'startTimer' | 'random'>) => {
  const { uptime, startTimer, random } = system;
  let tokens = RETRY_TOKENS;

  /**
   * Waits a random part of base * 2^failures milliseconds, at most cap, and not beyond the deadline.
   */
  const wait = ({ base, cap }: Backoff, failures: number, { deadline }: RequestContext): Promise<void> => {
    const ms = Math.min(random() * Math.min(cap, base * 2 ** failures), Math.max(0, deadline - uptime()));
    return new Promise((resolve) => void startTimer(ms, resolve));
  };

  /**
   * Makes attempts until one succeeds.
   *
   * @param attempt one try; gets a signal that aborts when its time is over
   * @throws {ApiError} unavailable, when the deadline passes or the retry budget is used up
   * @throws whatever an attempt threw that is not retryable
   */
  const retry = async <Result>(
    attempt: (signal: AbortSignal) => Promise<Result>,
    context: RequestContext,
  ): Promise<RetryResult<Result>> => {
    let outcomeUnknown: Error | undefined;
    let cause: Error | undefined;
    for (let failures = 0; ; failures += 1) {
      const left = context.deadline - uptime();
      if (left < MIN_ATTEMPT_MS) throw unavailable('deadline passed', cause);
      if (failures > 0) context.logFields.retries += 1;
      try {
        const result = await withTimeout(Math.min(ATTEMPT_TIMEOUT_MS, left), attempt, system);
        tokens = Math.min(RETRY_TOKENS, tokens + TOKENS_PER_SUCCESS);
        return { result, outcomeUnknown };
      } catch (error) {
        if (!isError(error)) throw error;
        const kind = classify(error);
        if (kind === 'final') throw error;
        if (kind === 'unknown') outcomeUnknown = error;
        cause = error;
      }
      if (tokens < 1) throw unavailable('retry budget used up', cause);
      tokens -= 1;
      await wait(transientBackoff, failures, context);
    }
  };

  return { retry, wait };
};
export type Retry = ReturnType<typeof createRetry>['retry'];
