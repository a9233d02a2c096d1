import { createRandom } from '#test/proof/support/random.ts';
import { faults, readFaults } from './faults.ts';

/** A hang costs its request 700 ms, so there are fewer of them. */
const slow = ['hang before', 'hang after', 'slow, too late', 'late, after a hang'];
const weigh = (names: readonly string[]) =>
  names.flatMap((name) => Array<string>(slow.includes(name) ? 1 : 4).fill(name));
const weighed = { read: weigh(Object.keys(readFaults)), write: weigh(Object.keys(faults)) };

/** What happens to the n-th call of a kind; nothing when undefined. */
export type Plan = (call: {
  readonly kind: 'read' | 'write';
  readonly n: number;
}) => { readonly fault: string; readonly part: number } | undefined;

/** Lets every call pass. */
export const noFaults: Plan = () => undefined;

/**
 * The same for the same seed, whatever order the calls come in.
 *
 * @param share how many of a hundred calls go wrong
 */
export const seededPlan =
  (seed: number, share: number): Plan =>
  ({ kind, n }) => {
    const random = createRandom(seed + 2 * n + (kind === 'read' ? 0 : 1));
    if (random() * 100 >= share) return undefined;
    const names = weighed[kind];
    return { fault: names[Math.floor(random() * names.length)] ?? 'reset after', part: random() };
  };
