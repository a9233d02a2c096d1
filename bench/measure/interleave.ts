import type { Variant } from '../types.ts';
import type { Setting } from './setting.ts';
import { shuffled } from './shuffled.ts';

/** What was measured of each variant, by id, one entry per round. */
export type ByVariant<Sample> = Readonly<Record<string, readonly Sample[]>>;

/**
 * Measures every variant once per round, in an order that changes from round to round: what the machine does beside
 * it meets all of them alike.
 */
export const interleave = async <Sample>(
  { variants, rounds, progress }: Pick<Setting, 'variants' | 'rounds' | 'progress'>,
  title: string,
  measure: (variant: Variant) => Promise<Sample>,
): Promise<ByVariant<Sample>> => {
  const samples = new Map<string, Sample[]>(variants.map(({ id }) => [id, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const variant of shuffled(variants, round)) samples.get(variant.id)?.push(await measure(variant));
    progress(`${title}: round ${round} of ${rounds}`);
  }
  return Object.fromEntries(samples);
};

/** One figure of each sample. */
export const pick = <Sample, Figure>(
  samples: ByVariant<Sample>,
  figure: (sample: Sample) => Figure,
): ByVariant<Figure> =>
  Object.fromEntries(Object.entries(samples).map(([id, values]) => [id, values.map(figure)]));
