import type { Growth, Measurement, Variant } from '../types.ts';

/** What the report has to know of a variant; where it was built and how large it is stands in the measurements. */
export type Described = Pick<Variant, 'id' | 'name' | 'kind' | 'form'>;

/** Everything that a report is made from. Any measurement may be missing: a run can be partial. */
export type Results = {
  readonly variants: readonly Described[];
  readonly measurements: readonly Measurement[];
  readonly growths: readonly Growth[];
};

/** Every ratio is to this variant, of the same run. */
export const ANCHOR = 'plain';

/** The variant that the others are compared with. */
export const OURS = 'space-files';

/** Our two SDK calls and nothing else: a part of ours, no other way to do the job. */
export const SDK_ONLY = 'sdk-only';

/** The measurement of that id; undefined where it was not taken. */
export const findMeasurement = (results: Results, id: string): Measurement | undefined =>
  results.measurements.find((measurement) => measurement.id === id);

/** A variant's name for people: `Hono, equalised`. */
export const nameOf = (results: Results, id: string): string =>
  results.variants.find((variant) => variant.id === id)?.name ?? id;

/** What a variant is another form of: `hono` for `hono` and for `hono-equalised`. */
export const familyOf = (id: string): string => id.replace(/-equalised$/, '');
