import type { Variant } from '../types.ts';
import { measureCold } from './cold.ts';
import type { Setting, Taken } from './setting.ts';

const withId = (taken: Taken, id: string, title: string): Taken => ({ ...taken, id, title });

/** What each stand-in brings: cold start in milliseconds and bytes of the bundle without it. */
export const measureLevers = async (setting: Setting): Promise<Taken[]> => {
  const [cold] = await measureCold(setting);
  if (cold === undefined) return [];
  return [
    withId(cold, 'levers-cold', 'Cold start without one stand-in'),
    bytesOf(setting.variants, 'levers-size', 'Bundle without one stand-in', ({ bytes }) => bytes),
  ];
};

/** A size of every variant, in bytes. */
export const bytesOf = (
  variants: readonly Variant[],
  id: string,
  title: string,
  sizeOf: (variant: Variant) => number,
): Taken => ({
  id,
  title,
  unit: 'bytes',
  how: 'All code that is loaded, as it lies in the zip.',
  values: Object.fromEntries(variants.map((variant) => [variant.id, [sizeOf(variant)]])),
});
