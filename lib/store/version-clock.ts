import { InternalError } from '#lib/domain/errors.ts';
import type { System } from '#lib/system.ts';

/** A clock that is behind its last reading by more than this, in microseconds, was set back. */
const MAX_STEP_BACK = 1_000_000;

/** The largest stored version above which there is one more that a double holds exactly: 2^53 - 2. */
const MAX_STORED_VERSION = Number.MAX_SAFE_INTEGER - 1;

/**
 * Gives the next version of a file whose stored version is given (0 for none).
 *
 * @throws {InternalError} naming the attribute, when the stored version is so large that none can follow
 */
export type VersionClock = (storedVersion: number) => number;

/**
 * A hybrid logical clock: microseconds since the epoch whose last three digits count the readings within one
 * millisecond. Each reading is above the stored version, and above the previous reading unless the clock was set back.
 *
 * @param now epoch milliseconds
 */
export const createVersionClock = (now: System['now']): VersionClock => {
  let last = 0;
  return (storedVersion) => {
    if (storedVersion > MAX_STORED_VERSION)
      throw new InternalError('file record does not fit: version: too_big');
    const reading = now() * 1000;
    const isSetBack = last - reading > MAX_STEP_BACK;
    last = isSetBack ? reading : Math.max(reading, last + 1);
    return Math.max(last, storedVersion + 1);
  };
};
