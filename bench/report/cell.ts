import type { Measurement } from '../types.ts';
import type { Figure } from './figures.ts';
import { amount, range, shownUnit, times } from './format.ts';
import { ANCHOR } from './results.ts';
import { ratio, valuesOf } from './stats.ts';

/** What one table cell says of a variant: its median, and how that compares with the anchor. */
export type Cell = {
  /** Median in the shown unit. */
  readonly amount: string;
  /** Ratio to the anchor; empty for counted figures and where the anchor was not measured. */
  readonly ratio: string;
  /** Quartiles of the ratio; empty where there is no spread. */
  readonly range: string;
};

/** The cell of one variant in one figure; undefined where it was not measured. */
export const cellOf = (measurement: Measurement, figure: Figure, variantId: string): Cell | undefined => {
  const values = valuesOf(measurement, variantId);
  if (values === undefined) return undefined;
  const compared = figure.counted ? undefined : ratio(measurement, variantId, ANCHOR);
  return {
    amount: amount(values.median, measurement.unit),
    ratio: compared === undefined ? '' : times(compared.median),
    range: compared === undefined ? '' : range(compared),
  };
};

/** A column's head with the unit: `cold, ms`. A counted figure is its own unit. */
export const headOf = ({ head, counted }: Figure, { unit }: Measurement): string =>
  counted ? head : `${head}, ${shownUnit(unit)}`;
