import { findMeasurement, type Results } from './results.ts';
import { ratioBeyond, type Spread, valuesOf } from './stats.ts';
import type { Target } from './targets.ts';

export type Verdict = 'reached' | 'missed' | 'not measured';

export type Judgement = {
  readonly target: Target;
  /** A ratio, or in the measurement's unit where the target has no `to`; undefined where it was not measured. */
  readonly measured: Spread | undefined;
  readonly verdict: Verdict;
  /** Whether the stretch is reached too; false where there is none. */
  readonly stretched: boolean;
};

/** Holds one target against the results. The median decides, unrounded. */
export const judge = (results: Results, target: Target): Judgement => {
  const measurement = findMeasurement(results, target.measurement);
  const measured =
    target.to === undefined
      ? valuesOf(measurement, target.variant)
      : ratioBeyond(measurement, { variantId: target.variant, lessId: target.less, anchorId: target.to });
  if (measured === undefined) return { target, measured, verdict: 'not measured', stretched: false };
  return {
    target,
    measured,
    verdict: measured.median <= target.limit ? 'reached' : 'missed',
    stretched: target.stretch !== undefined && measured.median <= target.stretch,
  };
};
