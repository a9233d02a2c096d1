import { ANCHOR, OURS, SDK_ONLY } from './results.ts';

/** A figure of ours that is to be at most `limit`; `stretch` is what prototypes have shown to be possible. */
export type Target = {
  readonly title: string;
  readonly measurement: string;
  readonly variant: string;
  /** Taken off the variant's value first, round by round. */
  readonly less?: string;
  /** The limit is a ratio to this variant; without one it is in the measurement's own unit. */
  readonly to?: string;
  readonly limit: number;
  readonly stretch?: number;
};

/** Peers that ours is to be ahead of, as written and equalised. */
export type Lead = {
  readonly peer: string;
  /** In words. */
  readonly on: string;
  /** Ids of measurements; undefined stands for all. */
  readonly figures?: readonly string[];
};

const KB = 1024;
const EVERY = 'every figure';
const cached = `${OURS}-cached`;
const primed = `${OURS}-primed`;
const primedCached = `${OURS}-primed-cached`;

export const targets: readonly Target[] = [
  { title: 'Bundle', measurement: 'size', variant: OURS, limit: 240 * KB, stretch: 215 * KB },
  { title: 'Bundle, gzipped', measurement: 'gzip', variant: OURS, limit: 80 * KB, stretch: 71 * KB },
  { title: 'Cold start', measurement: 'cold', variant: OURS, to: ANCHOR, limit: 0.75, stretch: 0.69 },
  {
    title: 'Cold start, code cache',
    measurement: 'cold',
    variant: cached,
    to: ANCHOR,
    limit: 0.45,
    stretch: 0.38,
  },
  {
    title: 'Cold start at 512 MB over TLS, init primed',
    measurement: 'cold-512',
    variant: primed,
    to: ANCHOR,
    limit: 0.6,
    stretch: 0.55,
  },
  {
    title: 'The same with code cache',
    measurement: 'cold-512',
    variant: primedCached,
    to: ANCHOR,
    limit: 0.42,
    stretch: 0.38,
  },
  {
    title: 'The same, against the floor',
    measurement: 'cold-512',
    variant: primedCached,
    to: 'floor',
    limit: 1,
  },
  {
    title: 'Wall time p50, 4 ms per call',
    measurement: 'wall',
    variant: OURS,
    to: ANCHOR,
    limit: 0.7,
    stretch: 0.68,
  },
  {
    title: 'Warm CPU on the engine',
    measurement: 'warm-engine',
    variant: OURS,
    to: ANCHOR,
    limit: 0.8,
    stretch: 0.75,
  },
  {
    title: 'Our own CPU beyond the SDK calls, stubbed',
    measurement: 'own-cpu',
    variant: OURS,
    less: SDK_ONLY,
    to: ANCHOR,
    limit: 0.125,
    stretch: 0.091,
  },
  { title: 'Peak memory', measurement: 'memory', variant: OURS, to: ANCHOR, limit: 0.65, stretch: 0.55 },
  { title: 'Calls per update', measurement: 'calls', variant: OURS, limit: 2 },
  { title: 'Read units per update', measurement: 'read-units', variant: OURS, limit: 2 },
  { title: 'Write units per update', measurement: 'write-units', variant: OURS, limit: 1 },
];

export const leads: readonly Lead[] = [
  { peer: 'powertools', on: EVERY },
  { peer: 'hono', on: EVERY },
  { peer: 'express', on: EVERY },
  { peer: 'electrodb', on: EVERY },
  { peer: 'dynamodb-toolbox', on: EVERY },
  { peer: 'lambda-api', on: 'size, cold, memory, wall', figures: ['size', 'gzip', 'cold', 'memory', 'wall'] },
];
