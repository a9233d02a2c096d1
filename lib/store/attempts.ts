import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '#lib/domain/call.ts';
import { Failure } from '#lib/domain/failure.ts';
import { isRepeatable, isUnknown } from './repeatable.ts';

/** One attempt, from connecting to the last byte, in milliseconds. */
export const ATTEMPT_TIMEOUT_MS = 700;

/** How the wait between attempts grows, in milliseconds. */
type Growth = { readonly base: number; readonly cap: number };

/** After a fault: the table may need a rest. */
export const faultWaits: Growth = { base: 25, cap: 1000 };
/** After another writer was faster: the table is well. */
export const refusalWaits: Growth = { base: 1, cap: 50 };

/**
 * A random part of base * 2^failures, at most cap, in milliseconds (AWS Builders' Library, "Timeouts, retries, and
 * backoff with jitter").
 */
export const backOffMs = ({ base, cap }: Growth, failures: number, random: () => number): number =>
  random() * Math.min(cap, base * 2 ** failures);

/** Waits, but not beyond the deadline: whoever goes on from here looks at it first. */
export const backOff = (ms: number, { deadline }: Call): Promise<void> =>
  sleep(ms, undefined, { signal: deadline }).catch(() => undefined);

/** Gives one attempt a signal that aborts when its own time or the request's is over, and leaves no timer behind. */
const withinLimits = async <Answer>(
  attempt: (signal: AbortSignal) => Promise<Answer>,
  deadline: AbortSignal,
): Promise<Answer> => {
  const limits = new AbortController();
  const abort = () => limits.abort();
  const timer = setTimeout(abort, ATTEMPT_TIMEOUT_MS);
  deadline.addEventListener('abort', abort);
  try {
    return await attempt(limits.signal);
  } finally {
    clearTimeout(timer);
    deadline.removeEventListener('abort', abort);
  }
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
  let cause: unknown;
  for (let failures = 0; !deadline.aborted; failures += 1) {
    if (failures > 0) tally.retries += 1;
    try {
      return await withinLimits(attempt, deadline);
    } catch (error) {
      if (!isRepeatable(error)) throw error;
      if (isUnknown(error)) tally.unknown += 1;
      cause = error;
    }
    await backOff(backOffMs(faultWaits, failures, random), call);
  }
  throw new Failure('unavailable', { reason: 'deadline passed', cause });
};
