import { createRandom } from '#test/proof/support/random.ts';
import { type Fault, faults, readFaults } from './faults.ts';
import type { Call } from './forward.ts';

/** What goes wrong with one call; `part`, from 0 up to 1, says how much where that can vary. */
export type Planned = { readonly name: string; readonly run: Fault; readonly part: number };

/** What happens to a call; nothing when undefined. */
export type Plan = (call: Call) => Planned | undefined;

/** Lets every call pass. */
export const noFaults: Plan = () => undefined;

const planned = (name: string, part = 0.5): Planned => {
  const run = faults[name];
  if (!run) throw new Error(`no such fault: ${name}`);
  return { name, run, part };
};

/** Gives the calls of a kind these faults in turn and lets all later ones pass; undefined stands for none. */
export const inTurn = (kind: Call['kind'], names: readonly (string | undefined)[]): Plan => {
  const left = [...names];
  return (call) => {
    const name = call.kind === kind ? left.shift() : undefined;
    return name === undefined ? undefined : planned(name);
  };
};

/** Gives every call of a kind, or of any kind, the same fault. */
export const always =
  (name: string, kind?: Call['kind']): Plan =>
  (call) =>
    kind === undefined || call.kind === kind ? planned(name) : undefined;

/** A hang costs its request 700 ms, so there are fewer of them. */
const slow = ['hang before', 'hang after', 'slow, too late', 'late, after a hang'];
const weigh = (names: readonly string[]) =>
  names.flatMap((name) => Array<string>(slow.includes(name) ? 1 : 4).fill(name));
const weighed = { read: weigh(Object.keys(readFaults)), write: weigh(Object.keys(faults)), other: [] };

/**
 * The same for the n-th call of a kind for the same seed, whatever order the calls come in.
 *
 * @param share how many of a hundred calls go wrong
 */
export const seededPlan =
  (seed: number, share: number): Plan =>
  ({ kind, n }) => {
    const random = createRandom(seed + 2 * n + (kind === 'read' ? 0 : 1));
    if (random() * 100 >= share) return undefined;
    const names = weighed[kind];
    const name = names[Math.floor(random() * names.length)];
    return name === undefined ? undefined : planned(name, random());
  };
