import type { RequestContext } from '#lib/request-context.ts';
import type { System } from '#lib/system.ts';
import { NOW } from './fixtures.ts';

type Timer = { readonly at: number; readonly callback: () => void };

/** Lets everything that is ready to run do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/**
 * A system without real time. Clocks and timers move by `advance` and `waitFor` only. A timer of 0 ms calls back as soon as
 * nothing else can run, so a retry does not wait if `random` is 0.
 */
export const createTestSystem = (overrides: Partial<System> = {}) => {
  const lines: string[] = [];
  const timers = new Set<Timer>();
  let elapsed = 0;
  let requests = 0;
  const fire = (timer: Timer) => {
    if (timers.delete(timer)) timer.callback();
  };
  const nextTimer = () => [...timers].toSorted((a, b) => a.at - b.at)[0];
  const fireAtItsTime = (timer: Timer) => {
    elapsed = Math.max(elapsed, timer.at);
    fire(timer);
  };
  const system: System = {
    now: () => NOW + elapsed,
    uptime: () => elapsed,
    startTimer: (ms, callback) => {
      const timer = { at: elapsed + ms, callback };
      timers.add(timer);
      if (ms <= 0) setImmediate(fire, timer);
      return () => void timers.delete(timer);
    },
    random: () => 0,
    newId: () => `request-${++requests}`,
    log: (line) => void lines.push(line),
    ...overrides,
  };
  return {
    ...system,
    /** The lines of the log, parsed. */
    logged: (): readonly Record<string, unknown>[] => lines.map((line) => JSON.parse(line)),
    /** Milliseconds until each running timer calls back. */
    timers: (): readonly number[] => [...timers].map(({ at }) => at - elapsed),
    /** Moves the clocks, and calls back each timer at its own time. */
    advance: async (ms: number): Promise<void> => {
      const end = elapsed + ms;
      for (;;) {
        await settle();
        const next = nextTimer();
        if (!next || next.at > end) break;
        fireAtItsTime(next);
      }
      elapsed = Math.max(elapsed, end);
    },
    /**
     * Gives what a promise comes to. The clocks move to the next timer whenever nothing else can happen.
     *
     * @param others what happens outside this system now
     */
    waitFor: async <Value>(
      promise: Promise<Value>,
      others: ReadonlySet<Promise<unknown>>,
    ): Promise<Value> => {
      let isSettled = false;
      const settled = promise.finally(() => {
        isSettled = true;
      });
      for (;;) {
        await Promise.race([settled, settle()]);
        if (isSettled) return settled;
        const next = nextTimer();
        if (others.size > 0) await Promise.race(others).catch(() => undefined);
        else if (next) fireAtItsTime(next);
        else throw new Error('nothing can happen any more that this promise waits for');
      }
    },
  };
};

/** A request that has just begun. */
export const aRequestContext = (overrides: Partial<RequestContext> = {}): RequestContext => ({
  requestId: 'request-1',
  awsRequestId: 'lambda-1',
  startedAt: 0,
  deadline: 5_000,
  respondBy: 5_000,
  logFields: { retries: 0, conflicts: 0, versionAheadMs: 0 },
  ...overrides,
});

/**
 * Watches a promise, and tells what it has come to so far. So a promise that a bug leaves open fails a test at once, which
 * would otherwise await it for ever.
 */
export const watch = <Value>(promise: Promise<Value>) => {
  let state: { readonly value: Value } | { readonly error: unknown } | 'not settled' = 'not settled';
  promise.then(
    (value) => {
      state = { value };
    },
    (error: unknown) => {
      state = { error };
    },
  );
  return () => state;
};
