import { availableParallelism, cpus } from 'node:os';
import type { Origin } from '../types.ts';

/** Where the figures of this run come from. */
export const originOf = ({ quick, at }: { quick: boolean; at: Date }): Origin => ({
  madeBy: `npm run bench${quick ? ' -- --quick' : ''}`,
  at: at.toISOString(),
  node: process.version,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  mode: quick ? 'quick' : 'whole',
});
