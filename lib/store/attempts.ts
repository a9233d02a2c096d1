import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, uptimeMs } from '#lib/domain/call.ts';
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

/** Never negative: Node warns of such a wait on stderr. */
const msLeft = ({ deadline }: Call): number => Math.max(0, deadline - uptimeMs());

/** Waits, but not beyond the deadline: whoever goes on from here looks at it first. */
export const backOff = (ms: number, call: Call): Promise<void> => sleep(Math.min(ms, msLeft(call)));

/** Gives one attempt a signal that aborts when its time is over, and leaves no timer behind. */
const within = async <Answer>(
  ms: number,
  attempt: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ms);
  try {
    return await attempt(limit.signal);
  } finally {
    clearTimeout(timer);
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
  const { tally } = call;
  let cause: unknown;
  for (let failures = 0; msLeft(call) > 0; failures += 1) {
    if (failures > 0) tally.retries += 1;
    try {
      return await within(Math.min(ATTEMPT_TIMEOUT_MS, msLeft(call)), attempt);
    } catch (error) {
      if (!isRepeatable(error)) throw error;
      if (isUnknown(error)) tally.unknown += 1;
      cause = error;
    }
    await backOff(backOffMs(faultWaits, failures, random), call);
  }
  throw new Failure('unavailable', { reason: 'deadline passed', cause });
};
