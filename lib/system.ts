/** Everything impure except the tables, in one place, so that a test can replace each piece. */
export type System = {
  /** Wall clock: milliseconds since the epoch. It may jump. */
  readonly now: () => number;
  /** Monotonic clock: milliseconds. It never goes back. */
  readonly uptime: () => number;
  /** Calls `callback` once, after `ms` milliseconds. Returns a function that cancels it. */
  readonly startTimer: (ms: number, callback: () => void) => () => void;
  /** From 0 up to 1; spreads retries. */
  readonly random: () => number;
  /** A new unique id. */
  readonly newId: () => string;
  /** Takes one line of the log. */
  readonly log: (line: string) => void;
};

/** An operation that did not settle in time. The SDK classifies errors of this name as transient. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Races an operation against a timer. An abort signal alone is not enough: an operation may ignore it and never settle.
 *
 * @param ms limit in milliseconds
 * @param operation gets a signal that aborts when the time is over
 * @throws {TimeoutError} when the timer is first; what the operation does later is ignored
 */
export const withTimeout = <Result>(
  ms: number,
  operation: (signal: AbortSignal) => Promise<Result>,
  { startTimer }: Pick<System, 'startTimer'>,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const controller = new AbortController();
    const cancel = startTimer(ms, () => {
      const timeout = new TimeoutError(`not settled after ${ms} ms`);
      reject(timeout);
      controller.abort(timeout);
    });
    // In a function of its own, because the operation may throw before it returns a promise.
    const run = async () => operation(controller.signal);
    run().finally(cancel).then(resolve, reject);
  });
