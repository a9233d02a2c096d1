import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';

/** A reply that says it succeeded and does not hold what success holds. */
export class GarbledReply extends Error {
  override readonly name = 'GarbledReply';
}

/** DynamoDB's own conflicts, which pass; the SDK does not count all of them as transient. */
const CONFLICTS: readonly string[] = ['TransactionConflictException', 'ReplicatedWriteConflictException'];

type SdkError = Parameters<typeof isTransientError>[0];
const isError = (error: unknown): error is SdkError => error instanceof Error;

/**
 * Whether the same call may succeed a moment later. The SDK's own classification, and three kinds it leaves out:
 * an attempt cut off by its timeout, a conflict that passes, a reply that cannot be read (SyntaxError: cut JSON or
 * a foreign body under status 200).
 */
export const isRepeatable = (error: unknown): boolean =>
  isError(error) &&
  (error instanceof GarbledReply ||
    error instanceof SyntaxError ||
    CONFLICTS.includes(error.name) ||
    error.name === 'AbortError' ||
    isTransientError(error) ||
    isThrottlingError(error) ||
    isServerError(error));

/** Whether the call may have been applied although it failed. A throttled one never was. */
export const isUnknown = (error: unknown): boolean => !(isError(error) && isThrottlingError(error));
