import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Variant } from './process.ts';
import { isQuotaAllowed, limitCpu } from './quota.ts';
import { updateOf } from './requests.ts';
import { type Figure, type Figures, ours, quantile } from './results.ts';
import { type Plan, runPlan, type Sample } from './sample.ts';

/** All forms of our function have the same bundle, and run the same code once they are warm. */
const withOneForm = (variants: readonly Variant[]) => variants.filter(({ id }) => !id.startsWith(`${ours}-`));

const perRound = (value: (sample: Sample) => number) => (samples: readonly Sample[]) => samples.map(value);
const wallTimes = ({ wallMs }: Sample) => wallMs;
const coldStart = perRound(({ loadMs, wallMs: [first = Number.NaN] }) => loadMs + first);
const wallP50 = perRound(({ wallMs }) => quantile(wallMs, 0.5));
// Over all rounds: of a few requests the 99th percentile would be the maximum.
const wallP99 = (samples: readonly Sample[]) => [quantile(samples.flatMap(wallTimes), 0.99)];
/** Of a run without other requests before it. */
const perRequest = (count: 'calls' | 'readUnits' | 'writeUnits') =>
  perRound(({ [count]: sum, wallMs }) => sum / wallMs.length);
const writeUnits = perRequest('writeUnits');

/** What may slow an update down. */
const growthSizes = {
  '100 files': { files: 100 },
  '10,000 files': { files: 10_000 },
  '1,000 tags': { tags: 1_000 },
  'summary of 10,000 characters': { characters: 10_000 },
};

/** Updates of 100 files from all over the space, which are otherwise as small as they can be. */
const updatesOf = ({ files = 100, tags = 0, characters = 25 }) => {
  const tag = { key: 'audience', value: 'new colleagues', aiExtracted: true };
  const file = { spaceId: 'handbook', language: 'en', domain: 'hr', tags: Array(tags).fill(tag) };
  const body = JSON.stringify({ summary: 'x'.repeat(characters) });
  return {
    files: Array.from({ length: files }, (_, index) => ({ ...file, fileId: `file-${index}` })),
    requests: Array.from({ length: 100 }, (_, index) => updateOf(`file-${(index * files) / 100}`, body)),
  };
};

const growthSubjects = (variant: Variant) =>
  Object.entries(growthSizes).map(([id, size]) => ({ ...variant, ...updatesOf(size), id }));

/** What each measurement does. `quick` asks for fewer rounds and requests: figures to look at, not to publish. */
const plansOf = (variants: readonly Variant[], quick: boolean): Readonly<Record<string, Plan>> => {
  const oneForm = withOneForm(variants);
  return {
    // Module load and first request of a fresh process.
    cold: { subjects: variants, rounds: quick ? 3 : 15, figures: { 'cold start, ms': coldStart } },
    'cold-512': {
      subjects: variants,
      conditions: { isRemote: true, beforeJob: limitCpu },
      rounds: quick ? 2 : 15,
      figures: { 'cold start at 512 MB, ms': coldStart },
    },
    wall: {
      subjects: oneForm,
      conditions: { isRemote: true, warmUp: 10, count: quick ? 20 : 30 },
      rounds: quick ? 1 : 5,
      figures: { 'wall p50, ms': wallP50, 'wall p99, ms': wallP99 },
    },
    // User and system time.
    cpu: {
      subjects: oneForm,
      conditions: { warmUp: 80, count: quick ? 80 : 160 },
      rounds: quick ? 1 : 5,
      figures: { 'CPU, µs': perRound(({ cpuUs }) => cpuUs) },
    },
    // A heap grows in steps. After fewer requests some variants are just before one.
    memory: {
      subjects: oneForm,
      conditions: { count: quick ? 200 : 1_500 },
      figures: { 'peak memory, MB': perRound(({ peakMb }) => peakMb) },
    },
    // Ten requests would show a cache.
    calls: {
      subjects: oneForm,
      conditions: { isRemote: true, count: 10 },
      figures: {
        calls: perRequest('calls'),
        'read units': perRequest('readUnits'),
        'write units': writeUnits,
      },
    },
    growth: {
      subjects: variants.filter(({ id }) => id === ours).flatMap(growthSubjects),
      conditions: { isRemote: true, count: quick ? 50 : 200 },
      figures: { 'wall p50 by size, ms': wallP50, 'write units by size': writeUnits },
    },
  };
};

export const measurementNames: readonly string[] = ['size', ...Object.keys(plansOf([], false))];

/** The minified bundles. */
const sizesOf = (variants: readonly Variant[]): Figures => {
  const valuesOf = (bytesOf: (bundle: Buffer) => number): Figure =>
    Object.fromEntries(variants.map(({ id, file }) => [id, [bytesOf(readFileSync(file)) / 1024]]));
  return {
    'bundle, KB': valuesOf(({ byteLength }) => byteLength),
    'gzipped, KB': valuesOf((bundle) => gzipSync(bundle).byteLength),
  };
};

/** Carries out one of the measurements. Gives no figures where this machine does not allow it. */
export const measure = async (
  name: string,
  variants: readonly Variant[],
  quick: boolean,
): Promise<Figures> => {
  if (name === 'cold-512' && !(await isQuotaAllowed())) return {};
  const plan = plansOf(variants, quick)[name];
  return plan ? runPlan(plan) : sizesOf(withOneForm(variants));
};
