import { availableParallelism } from 'node:os';
import {
  countInstructions,
  type Environment,
  measureRun,
  seeded,
  seededStart,
  type Variant,
} from './process.ts';
import { update } from './requests.ts';
import { coldStart, type Figures, firstRequest, warmFormOf, warmRequest } from './results.ts';

/** Gives one value of each figure of a variant's file. All variants of a round have the same seed. */
type Sample = (file: string, seed: number) => Promise<Readonly<Record<string, number>>>;

/** All variants of a round after each other: other work of the machine affects all of them alike. */
const takeRounds = async (variants: readonly Variant[], rounds: number, workers: number, sample: Sample) => {
  const figures: Figures = {};
  const all = Array.from({ length: rounds }, (_, round) => variants.map((one) => ({ ...one, round })));
  const queue = all.flat().values();
  const work = async () => {
    for (const { id, file, round } of queue)
      for (const [name, value] of Object.entries(await sample(file, round + 1))) {
        const { [id]: values = [], ...others } = figures[name] ?? {};
        const rounded = Math.round(value * 1000) / 1000;
        figures[name] = { ...others, [id]: Object.assign(values, { [round]: rounded }) };
      }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return figures;
};

const cores = availableParallelism();
const job = (count: number) => ({ requests: [update], count });
const oneForm = (variants: readonly Variant[]) => variants.filter(({ id }) => warmFormOf(id) === id);

/**
 * Counts the instructions of the module load and the first request: those of a fresh process, less those of one that
 * loads nothing.
 */
export const countStarts = (variants: readonly Variant[], environment: Environment, rounds: number) =>
  takeRounds(variants, rounds, cores, async (file, seed) => {
    const options = seededStart(seed);
    const empty = await countInstructions(undefined, environment, job(0), options);
    const cold = await countInstructions(file, environment, job(1), options);
    const loaded = await countInstructions(file, environment, job(0), options);
    // A caller waits only for the request: Lambda loads the function before it.
    return { [coldStart]: cold - empty, [firstRequest]: cold - loaded };
  });

/**
 * Counts the instructions of one more request. The difference leaves out most of what V8 compiles only once, but not all:
 * single ratios differ by up to 16 %.
 */
export const countWarm = (
  variants: readonly Variant[],
  environment: Environment,
  { rounds, requests }: { readonly rounds: number; readonly requests: number },
) =>
  takeRounds(oneForm(variants), rounds, cores, async (file, seed) => {
    const shorter = await countInstructions(file, environment, job(requests), seeded(seed));
    const longer = await countInstructions(file, environment, job(2 * requests), seeded(seed));
    return { [warmRequest]: (longer - shorter) / requests };
  });

/** Measures the user time of one request, after 2,000 others, and memory. One at a time: other work would change both. */
export const measureRuns = (variants: readonly Variant[], environment: Environment, rounds: number) =>
  takeRounds(oneForm(variants), rounds, 1, async (file) => {
    const { cpuUs, peakMb } = await measureRun(file, environment, { ...job(200), warmUp: 2_000 });
    return { 'CPU, µs': cpuUs, 'memory, MB': peakMb };
  });
