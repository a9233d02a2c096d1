import type { Growth, Measurement, Origin, Variant } from '../types.ts';
import type { World } from '../world/world.ts';

/** What every measurement takes. */
export type Setting = {
  readonly variants: readonly Variant[];
  readonly world: World;
  /** Values per variant; each from a process of its own. */
  readonly rounds: number;
  /** Shorter loops and fewer points: figures to look at, not to publish. */
  readonly quick: boolean;
  /** Is told of each step that is done, in words. */
  readonly progress: (step: string) => void;
};

/** What a measurement gives: the run adds where it comes from. */
export type Taken = Omit<Measurement, keyof Origin>;
export type TakenGrowth = Omit<Growth, keyof Origin>;
