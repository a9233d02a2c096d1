/** Gives the next version of a record whose stored version is given (0 for none). */
export type VersionClock = (stored: number) => number;

/**
 * A hybrid logical clock: microseconds since the epoch whose last three digits count the readings within one
 * millisecond. Readings of one process never repeat, and each is above the stored version.
 *
 * @param now epoch milliseconds
 */
export const createVersionClock = (now: () => number): VersionClock => {
  let last = 0;
  return (stored) => {
    last = Math.max(now() * 1000, last + 1);
    return Math.max(last, stored + 1);
  };
};
