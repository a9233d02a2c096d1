import { measureCalls } from '../measure/calls.ts';
import { measureCold } from '../measure/cold.ts';
import { measureCold512 } from '../measure/cold-512.ts';
import { measureColdTls } from '../measure/cold-tls.ts';
import { measureLevers } from '../measure/levers.ts';
import { measureMemory } from '../measure/memory.ts';
import { measureOwnCpu } from '../measure/own-cpu.ts';
import type { Setting, Taken } from '../measure/setting.ts';
import { measureWall } from '../measure/wall.ts';
import { measureWarmEngine } from '../measure/warm-engine.ts';
import { measureWarmStubbed } from '../measure/warm-stubbed.ts';
import type { Variant } from '../types.ts';

type Part = {
  readonly rounds: number;
  readonly quickRounds: number;
  /** Of all variants, those it is measured of. */
  readonly of: (variant: Variant) => boolean;
  readonly measure: (setting: Setting) => Promise<readonly Taken[]>;
};

const all = () => true;
/** Once warm, our forms are the same code, and so is what is not bundled. */
const warm = ({ id }: Variant) => !/^space-files-|^plain-unbundled/.test(id);
/** Ours, what it is made of and what it is compared with. */
const own = ({ id }: Variant) => ['space-files', 'sdk-only', 'plain'].includes(id);
/** Where CPU is short, the forms that people deploy. */
const deployed = ({ id, form, kind }: Variant) =>
  id !== 'space-files-plain-sdk' && (kind === 'ours' || form === 'as written');

const one = async (taken: Promise<Taken | undefined>): Promise<readonly Taken[]> => {
  const measurement = await taken;
  return measurement === undefined ? [] : [measurement];
};

/** What is measured, in this order, beside growth and the levers. */
export const parts = {
  cold: { rounds: 15, quickRounds: 3, of: all, measure: measureCold },
  'cold-tls': {
    rounds: 15,
    quickRounds: 1,
    of: deployed,
    measure: (setting) => one(measureColdTls(setting)),
  },
  'cold-512': {
    rounds: 15,
    quickRounds: 3,
    of: deployed,
    measure: (setting) => one(measureCold512(setting)),
  },
  wall: { rounds: 5, quickRounds: 1, of: warm, measure: measureWall },
  calls: { rounds: 1, quickRounds: 1, of: warm, measure: measureCalls },
  'warm-stubbed': {
    rounds: 5,
    quickRounds: 1,
    of: warm,
    measure: (setting) => one(measureWarmStubbed(setting)),
  },
  'own-cpu': { rounds: 5, quickRounds: 1, of: own, measure: (setting) => one(measureOwnCpu(setting)) },
  'warm-engine': {
    rounds: 5,
    quickRounds: 1,
    of: warm,
    measure: (setting) => one(measureWarmEngine(setting)),
  },
  memory: { rounds: 1, quickRounds: 1, of: warm, measure: (setting) => one(measureMemory(setting)) },
  levers: { rounds: 15, quickRounds: 0, of: all, measure: measureLevers },
} as const satisfies Record<string, Part>;

export const partNames = [...(Object.keys(parts) as (keyof typeof parts)[]), 'growth'] as const;
export type PartName = (typeof partNames)[number];
