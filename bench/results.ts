import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The published results, of one whole run. */
export const resultsFile = join(import.meta.dirname, 'results.json');

/** The figures that --check compares with the published ones: millions of instructions. */
export const coldStart = 'cold start';
export const firstRequest = 'first request';
export const warmRequest = 'warm request';

/** Warm, two builds of the same code take the same: one of them is measured. Gives the id of that one. */
export const warmFormOf = (id: string): string => id.replace(/-(cached|external)$/, '');

const ResultsSchema = z.object({
  /** A sentence: where and when it ran. */
  run: z.string(),
  /** The names of the variants by their id. */
  variants: z.record(z.string(), z.string()),
  /** By name and unit, and by the id of a variant: one value per round. An index is the same round everywhere. */
  figures: z.record(z.string(), z.record(z.string(), z.array(z.number()))),
});
export type Results = z.infer<typeof ResultsSchema>;
export type Figures = Results['figures'];

export const readResults = (): Results => ResultsSchema.parse(JSON.parse(readFileSync(resultsFile, 'utf8')));

/** JSON with every list of numbers on one line. */
export const toJson = (results: Results): string =>
  `${JSON.stringify(results, null, 2).replace(/\[[\d\s.,-]*\]/g, (list) => list.replace(/\s/g, ''))}\n`;

/** The value below which `share` (0 to 1) of the values lie, interpolated between two neighbours. NaN of no values. */
const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
};

/** A median with its quartiles. Undefined for no values. */
export const spreadOf = (values: readonly number[] = []) =>
  values.length === 0
    ? undefined
    : { median: quantile(values, 0.5), lower: quantile(values, 0.25), upper: quantile(values, 0.75) };

/** The median and the quartiles of the ratios of each round. Undefined if no round has measured both. */
export const ratioOf = (figure: Figures[string] | undefined, id: string, base: string) => {
  const { [id]: values = [], [base]: bases = [] } = figure ?? {};
  return spreadOf(values.map((value, round) => value / (bases[round] ?? Number.NaN)).filter(Number.isFinite));
};

/**
 * How many times the published ratio passes. Rounds of a first request differ by up to 12 %. With the SDK's plain
 * client, a warm request takes ×1.56.
 */
const tolerance = { [coldStart]: 1.03, [firstRequest]: 1.1, [warmRequest]: 1.2 };

/** A sentence for each count whose median ratio to the expert's is too far above the published one. */
export const regressionsOf = (measured: Figures, published: Figures): string[] =>
  Object.entries(tolerance).flatMap(([name, most]) =>
    Object.keys(measured[name] ?? {}).flatMap((id) => {
      const medianOf = (figures: Figures) => ratioOf(figures[name], id, 'expert')?.median ?? Number.NaN;
      const [now, before] = [medianOf(measured), medianOf(published)];
      const ratios = `×${now.toFixed(3)} of the expert's, published are ×${before.toFixed(3)}`;
      return now <= before * most ? [] : [`${id}: ${name}: ${ratios}.`];
    }),
  );

/** A sentence for each variant that the published run has not measured, or that is not built any more. */
export const unpublishedOf = (built: Results['variants'], published: Results['variants']): string[] =>
  Object.keys({ ...published, ...built })
    .filter((id) => built[id] !== published[id])
    .map((id) => `${id}: built is ${built[id] ?? 'nothing'}, published is ${published[id] ?? 'nothing'}.`);
