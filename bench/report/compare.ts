import { type Figure, figures } from './figures.ts';
import { findMeasurement, OURS, type Results } from './results.ts';
import { ratio, type Spread } from './stats.ts';

/** Ours against one variant in one figure. */
export type Comparison = {
  readonly figure: Figure;
  readonly variant: string;
  /** Ours divided by theirs, round by round: below 1 ours is ahead. */
  readonly ratio: Spread;
  /** By the median. */
  readonly place: 'ahead' | 'level' | 'behind';
  /** Whether the quartiles are on the same side of 1 as the median: if not, another run may tell otherwise. */
  readonly clear: boolean;
};

/** Ours against a variant in every figure that both were measured in, in the order of the tables. */
export const compare = (results: Results, variant: string): readonly Comparison[] =>
  figures.flatMap((figure) => {
    const measured = ratio(findMeasurement(results, figure.id), OURS, variant);
    if (measured === undefined) return [];
    const { median, lower, upper } = measured;
    const place = median < 1 ? 'ahead' : median > 1 ? 'behind' : 'level';
    return [{ figure, variant, ratio: measured, place, clear: upper < 1 || lower > 1 || lower === upper }];
  });
