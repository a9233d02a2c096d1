import type { Measurement } from '../../types.ts';
import { ANCHOR, type Described, familyOf, type Results } from '../results.ts';
import { ratio, type Spread, valuesOf } from '../stats.ts';

export type Bar = {
  readonly variant: Described;
  /** Ratio to the anchor. */
  readonly ratio: Spread;
  /** Median in the measurement's unit. */
  readonly value: number;
};

/** One label with its bars: a variant as written, and equalised. */
export type BarGroup = { readonly label: string; readonly bars: readonly Bar[] };

/** The bars of a measurement, both forms of a variant together, the smallest ratio first. */
export const barGroups = (results: Results, measurement: Measurement): readonly BarGroup[] => {
  const bars = results.variants.flatMap((variant) => barOf(measurement, variant));
  const families = Map.groupBy(bars, (bar) => familyOf(bar.variant.id));
  return [...families.values()]
    .map((group) => group.toSorted(writtenFirst))
    .map((group) => ({ label: labelOf(group), bars: group }))
    .toSorted((a, b) => smallest(a) - smallest(b));
};

const barOf = (measurement: Measurement, variant: Described): readonly Bar[] => {
  const spread = ratio(measurement, variant.id, ANCHOR);
  const value = valuesOf(measurement, variant.id);
  return spread === undefined || value === undefined ? [] : [{ variant, ratio: spread, value: value.median }];
};

const writtenFirst = (a: Bar, b: Bar): number =>
  Number(a.variant.form === 'equalised') - Number(b.variant.form === 'equalised');

const labelOf = ([first]: readonly Bar[]): string => first?.variant.name ?? '';

const smallest = ({ bars }: BarGroup): number => Math.min(...bars.map((bar) => bar.ratio.median));
