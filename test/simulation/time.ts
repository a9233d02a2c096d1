import { NOW } from '#test/support/fixtures.ts';
import type { Option } from './model.ts';

type Timer<Owner> = { readonly owner: Owner; due: number; readonly callback: () => void };

/**
 * Time passes with each step, and when a timer fires. Nothing waits for real time.
 *
 * @param stepMs milliseconds that pass with each step
 */
export const createTime = <Owner extends { readonly name: string; readonly isFrozen: boolean }>(
  stepMs: number,
) => {
  const timers = new Set<Timer<Owner>>();
  const moment = { time: NOW, step: 0 };
  return {
    moment,
    nextStep: (): void => {
      moment.step += 1;
      moment.time += stepMs;
    },
    startTimer: (owner: Owner, ms: number, callback: () => void) => {
      const timer = { owner, due: moment.time + ms, callback };
      // The end of a wait of 0 ms is no option: whatever could happen before it can also happen after it.
      if (ms === 0) queueMicrotask(callback);
      else timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** So many milliseconds of the timers of an owner pass at once. */
    skip: (owner: Owner, ms: number): void => {
      for (const timer of timers)
        if (timer.owner === owner) timer.due = Math.max(moment.time, timer.due - ms);
    },
    /**
     * The timer that fires next: timers fire in the order of time.
     *
     * @param mustWait whether something else must happen before a timer of its owner fires
     */
    options: (mustWait: (owner: Owner) => boolean): Option[] => {
      const running = [...timers].filter(({ owner }) => !owner.isFrozen);
      if (running.length === 0) return [];
      const earliest = running.reduce((a, b) => (a.due <= b.due ? a : b));
      const { owner, due, callback } = earliest;
      if (mustWait(owner)) return [];
      const fire = () => {
        moment.time = Math.max(moment.time, due);
        timers.delete(earliest);
        callback();
      };
      return [{ label: `timer of ${owner.name}`, run: fire }];
    },
  };
};
export type Time<Owner extends { readonly name: string; readonly isFrozen: boolean }> = ReturnType<
  typeof createTime<Owner>
>;
