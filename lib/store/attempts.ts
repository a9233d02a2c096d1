import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '#lib/domain/call.ts';
import { Failure } from '#lib/domain/failure.ts';
import { isRepeatable, isUnknown } from './repeatable.ts';

/** One attempt, from connecting to the last byte, in milliseconds. */
export const ATTEMPT_TIMEOUT_MS = 700;

const unavailable = (reason: string, cause: unknown) => new Failure('unavailable', { reason, cause });

/**
 * Waits a random part of base * 2^failures ms, at most cap ms (AWS Builders' Library, "Timeouts, retries, and
 * backoff with jitter").
 *
 * @throws {Failure} unavailable, when the deadline passes meanwhile
 */
export const backOff = async (
  { base, cap, failures, random }: { base: number; cap: number; failures: number; random: () => number },
  { deadline }: Call,
): Promise<void> => {
  const ms = random() * Math.min(cap, base * 2 ** failures);
  await sleep(ms, undefined, { signal: deadline }).catch((cause: unknown) => {
    throw unavailable('deadline passed while backing off', cause);
  });
};

/**
 * Makes attempts until one is answered or the request's deadline passes. Retrying is done here and not by the SDK:
 * only here is it known that a reply is garbled, or that an earlier attempt may have been applied.
 *
 * @param attempt one try; aborts with the signal it is given
 * @throws {Failure} unavailable, when the deadline passes
 * @throws whatever an attempt threw that repeating cannot mend
 */
export const untilAnswered = async <Answer>(
  attempt: (signal: AbortSignal) => Promise<Answer>,
  { call, random }: { call: Call; random: () => number },
): Promise<Answer> => {
  const { deadline, tally } = call;
  for (let failures = 0; ; failures += 1) {
    if (deadline.aborted) throw unavailable('deadline passed', deadline.reason);
    try {
      return await attempt(AbortSignal.any([deadline, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]));
    } catch (error) {
      if (deadline.aborted) throw unavailable('deadline passed', error);
      if (!isRepeatable(error)) throw error;
      tally.retries += 1;
      if (isUnknown(error)) tally.unknown += 1;
    }
    await backOff({ base: 25, cap: 1000, failures, random }, call);
  }
};
