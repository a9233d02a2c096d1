import type fc from 'fast-check';

const rest = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Makes a scheduler decide the order of whole steps. The scheduler by itself orders only when results are told; here
 * a step begins when it is released, and the next one is released when it has ended and whoever waited for it has
 * come to its own next step.
 */
export const takeTurns = (scheduler: fc.Scheduler) => {
  let current: Promise<unknown> = Promise.resolve();
  return {
    /** Runs a step when the scheduler says so. */
    step: async <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
      await scheduler.schedule(Promise.resolve(), name);
      const result = run();
      current = result.catch(() => undefined);
      return result;
    },
    /** Releases steps one by one until all is done. */
    until: <Result>(done: Promise<Result>): Promise<Result> =>
      scheduler.waitFor(done, async (release) => {
        await release();
        await rest();
        await current;
        await rest();
      }),
  };
};
