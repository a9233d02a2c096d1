import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { startStub, withTables } from './fixture.ts';
import { countInstructions, hasValgrind, type Job, measureRun, type Variant } from './process.ts';
import { update } from './requests.ts';
import { coldStart, type Figures, quantile } from './results.ts';

type Plan = {
  readonly variants: readonly Variant[];
  readonly rounds: number;
  /** How many samples are taken at the same time. Times need a machine of their own. */
  readonly workers: number;
  /** Gives one value of each figure. */
  readonly sample: (variant: Variant) => Promise<Readonly<Record<string, number>>>;
};

/** Every variant once per round, in random order: other work of the machine affects all of them alike. */
const runPlan = async ({ variants, rounds, workers, sample }: Plan): Promise<Figures> => {
  const figures: Figures = {};
  const turns = Array.from({ length: rounds }, (_, round) =>
    variants.map((variant) => ({ variant, round, place: round + Math.random() })),
  );
  const queue = turns
    .flat()
    .sort((a, b) => a.place - b.place)
    .values();
  const work = async () => {
    for (const { variant, round } of queue)
      for (const [name, value] of Object.entries(await sample(variant))) {
        figures[name] ??= {};
        figures[name][variant.id] ??= [];
        Object.assign(figures[name][variant.id] ?? [], { [round]: value });
      }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return figures;
};

/** The minified bundles, in KB of 1,024 bytes. */
const sizesOf = (variants: readonly Variant[]): Figures => ({
  'bundle, KB': Object.fromEntries(variants.map(({ id, bundle }) => [id, [statSync(bundle).size / 1024]])),
});

/** Prepares the measurements of variants. `quick` asks for one round: figures to look at, not to publish. */
export const prepareMeasurements = async (variants: readonly Variant[], quick: boolean) => {
  const { state, environment } = await startStub();
  const oneForm = variants.filter(({ id }) => !id.endsWith('-cached'));
  const rounds = (whole: number) => (quick ? 1 : whole);
  const count = (file: string | undefined, requests: number) =>
    countInstructions(file, environment, { requests: [update], count: requests });
  /** A process that sends updates to the stub, and the calls that it made. */
  const send = async (variant: Variant, job: Omit<Job, 'requests'>, delayMs = 0) => {
    Object.assign(state, { calls: 0, delayMs });
    const run = await measureRun(variant, environment, { requests: [update], ...job });
    return { ...run, calls: state.calls };
  };

  const countStart = async (): Promise<Figures> => {
    const empty = await count(undefined, 0);
    const sample = async ({ file }: Variant) => {
      const [load, cold] = [await count(file, 0), await count(file, 1)];
      // What is left to the caller of a primed function is its first request.
      return { [coldStart]: cold - empty, 'first request, million instructions': cold - load };
    };
    return runPlan({ variants, rounds: rounds(3), workers: availableParallelism(), sample });
  };
  const countWarm = () =>
    runPlan({
      variants: oneForm,
      rounds: rounds(2),
      workers: availableParallelism(),
      // The difference leaves out the start, and most of what V8 compiles only once.
      sample: async ({ file }) => ({
        'warm request, million instructions': ((await count(file, 1_500)) - (await count(file, 900))) / 600,
      }),
    });
  const measureTimes = (whole: number, sample: Plan['sample']) => () =>
    runPlan({ variants: oneForm, rounds: rounds(whole), workers: 1, sample });

  const others = [
    async () => sizesOf(variants),
    measureTimes(10, async (variant) => {
      const { cpuUs } = await send(variant, { warmUp: 2_000, count: 200 });
      return { 'CPU, µs': cpuUs };
    }),
    measureTimes(3, async (variant) => {
      const job = { requests: [update], warmUp: 1_000, count: 200 };
      const { cpuUs } = await withTables((tables) => measureRun(variant, tables, job));
      return { 'CPU with an engine, µs': cpuUs };
    }),
    measureTimes(5, async (variant) => {
      const { wallMs } = await send(variant, { warmUp: 10, count: 50 }, 4);
      return { 'wall p50, ms': quantile(wallMs, 0.5) };
    }),
    measureTimes(3, async (variant) => {
      // A heap grows in steps. After fewer requests some variants are just before one.
      const { peakMb, calls } = await send(variant, { count: 1_500 });
      return { 'peak memory, MB': peakMb, calls: calls / 1_500 };
    }),
  ];
  return { countStart, all: hasValgrind() ? [countStart, countWarm, ...others] : others };
};
