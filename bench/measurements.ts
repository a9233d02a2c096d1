import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { startStub, withTables } from './fixture.ts';
import { countInstructions, type Environment, hasValgrind, measureRun, type Variant } from './process.ts';
import { update } from './requests.ts';
import { coldStart, type Figures, quantile } from './results.ts';

/** Gives one value of each figure of a variant's file. */
type Sample = (file: string) => Promise<Readonly<Record<string, number>>>;

/** All variants of a round after each other: other work of the machine affects all of them alike. */
const takeRounds = async (variants: readonly Variant[], rounds: number, workers: number, sample: Sample) => {
  const figures: Figures = {};
  const all = Array.from({ length: rounds }, (_, round) => variants.map((one) => ({ ...one, round })));
  const queue = all.flat().values();
  const work = async () => {
    for (const { id, file, round } of queue)
      for (const [name, value] of Object.entries(await sample(file))) {
        const { [id]: values = [], ...others } = figures[name] ?? {};
        const rounded = Math.round(value * 1000) / 1000;
        figures[name] = { ...others, [id]: Object.assign(values, { [round]: rounded }) };
      }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return figures;
};

/**
 * Prepares the measurements of variants. A quick run has one round: figures to look at, not to publish. A check counts
 * only the cold start.
 */
export const prepareMeasurements = async (
  variants: readonly Variant[],
  kind: 'whole run' | 'quick run' | 'check',
) => {
  const quick = kind === 'quick run';
  const { state, environment } = await startStub();
  const oneForm = variants.filter(({ id }) => !id.endsWith('-cached'));
  const rounds = (whole: number) => (quick ? 1 : whole);
  const cores = availableParallelism();
  const sizes = () =>
    takeRounds(variants, 1, 1, async (file) => {
      return { 'bundle, KB': statSync(file.replace(/mjs$/, 'cjs')).size / 1024 };
    });
  const count = (file: string | undefined, requests: number) =>
    countInstructions(file, environment, { requests: [update], count: requests });
  const countStart = async (counts = rounds(10)) => {
    const empty = await count(undefined, 0);
    // V8 seeds its hash tables at random: single counts differ by up to 7 %, ratios of the least of ten by under 2 %.
    return takeRounds(variants, counts, cores, async (file) => {
      const cold = await count(file, 1);
      const figures = { [coldStart]: cold - empty };
      if (kind === 'check') return figures;
      // What is left to the caller of a primed function is its first request.
      return { ...figures, 'first request, million instructions': cold - (await count(file, 0)) };
    });
  };
  const countWarm = () =>
    takeRounds(oneForm, 1, cores, async (file) => {
      // The difference leaves out the start, and most of what V8 compiles only once.
      const requests = quick ? 200 : 500;
      const [shorter, longer] = [await count(file, requests), await count(file, 2 * requests)];
      return { 'warm request, million instructions': (longer - shorter) / requests };
    });

  const send = (file: string, env: Environment, job: object) =>
    measureRun(file, env, { requests: [update], ...job });
  // One at a time: times need a machine of their own.
  const inTurn = (whole: number, sample: Sample) => () => takeRounds(oneForm, rounds(whole), 1, sample);
  // Wall times come last: until then, the stub answers at once.
  const times = [
    inTurn(10, async (file) => {
      state.calls = 0;
      const { cpuUs, peakMb } = await send(file, environment, { warmUp: 2_000, count: 200 });
      return { 'CPU, µs': cpuUs, 'peak memory, MB': peakMb, calls: state.calls / 2_200 };
    }),
    inTurn(3, async (file) => {
      const { cpuUs } = await withTables((tables) => send(file, tables, { warmUp: 500, count: 200 }));
      return { 'CPU with an engine, µs': cpuUs };
    }),
    inTurn(10, async (file) => {
      state.delayMs = 4;
      const { wallMs } = await send(file, environment, { warmUp: 10, count: 200 });
      return { 'wall p50, ms': quantile(wallMs, 0.5) };
    }),
  ];
  return { countStart, all: [sizes, ...(hasValgrind() ? [countStart, countWarm] : []), ...times] };
};
