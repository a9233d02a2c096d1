import { join } from 'node:path';
import type { Setting, Taken } from '../measure/setting.ts';
import { buildWithoutOne } from '../ours.ts';
import type { Variant } from '../types.ts';
import { startWorld } from '../world/world.ts';
import { parts } from './parts.ts';

type PartOptions = Pick<Setting, 'variants' | 'quick' | 'progress'>;

/** Measures one part on an engine of its own. */
export const measurePart = async (
  name: keyof typeof parts,
  { variants, quick, progress }: PartOptions,
): Promise<readonly Taken[]> => {
  const { rounds, quickRounds, of, measure } = parts[name];
  const chosen = name === 'levers' ? await leverVariants() : variants.filter(of);
  const setting = { rounds: quick ? quickRounds : rounds, quick, progress };
  if (setting.rounds === 0) return [];
  // What a variant leaves on a record would count for the next one.
  if (name === 'calls') return apart(chosen, setting);
  return onWorld(chosen, setting, measure);
};

const leverVariants = () => buildWithoutOne(join(import.meta.dirname, '../.build/levers'));

const onWorld = async (
  variants: readonly Variant[],
  setting: Omit<Setting, 'variants' | 'world'>,
  measure: (setting: Setting) => Promise<readonly Taken[]>,
): Promise<readonly Taken[]> => {
  const world = await startWorld();
  try {
    return await measure({ ...setting, variants, world });
  } finally {
    await world.stop();
  }
};

/** Each variant on an engine of its own; the same measurements of them as one. */
const apart = async (
  variants: readonly Variant[],
  setting: Omit<Setting, 'variants' | 'world'>,
): Promise<readonly Taken[]> => {
  const taken: Taken[] = [];
  for (const variant of variants)
    for (const one of await onWorld([variant], setting, parts.calls.measure)) {
      const index = taken.findIndex(({ id }) => id === one.id);
      if (index < 0) taken.push(one);
      else taken[index] = { ...one, values: { ...taken[index]?.values, ...one.values } };
    }
  return taken;
};
