import type { Measurement } from '../types.ts';

/** A median with its quartiles, in the unit of what was measured, and over how many rounds. */
export type Spread = {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
  readonly rounds: number;
};

/** The value that `share` of the sorted values lie below, between two neighbours in proportion. */
const quantile = (sorted: readonly number[], share: number): number => {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
};

/** Median and quartiles, in the unit of the values; undefined where there are none. */
export const spreadOf = (values: readonly number[]): Spread | undefined => {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    lower: quantile(sorted, 0.25),
    upper: quantile(sorted, 0.75),
    rounds: values.length,
  };
};

/** The values of a variant over the rounds, in the measurement's unit; undefined where it was not measured. */
export const valuesOf = (measurement: Measurement | undefined, variantId: string): Spread | undefined =>
  spreadOf(measurement?.values[variantId] ?? []);

/**
 * How many times the anchor's value a variant has: one ratio per round, and of these the median and the quartiles.
 * Rounds that only one of the two has are left out. Undefined where either was not measured.
 */
export const ratio = (
  measurement: Measurement | undefined,
  variantId: string,
  anchorId: string,
): Spread | undefined => ratioBeyond(measurement, { variantId, anchorId });

/** The same for what a variant takes beyond another: (variant - less) / anchor, round by round. */
export const ratioBeyond = (
  measurement: Measurement | undefined,
  { variantId, lessId, anchorId }: { variantId: string; lessId?: string | undefined; anchorId: string },
): Spread | undefined => {
  const values = measurement?.values ?? {};
  const anchor = values[anchorId] ?? [];
  const less = lessId === undefined ? anchor.map(() => 0) : (values[lessId] ?? []);
  const ratios = (values[variantId] ?? []).map(
    (value, round) => (value - (less[round] ?? Number.NaN)) / (anchor[round] ?? Number.NaN),
  );
  return spreadOf(ratios.filter(Number.isFinite));
};
