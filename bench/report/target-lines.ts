import { quantity, range } from './format.ts';
import { judge, type Verdict } from './judge.ts';
import { leadLine } from './lead-line.ts';
import type { Results } from './results.ts';
import type { Spread } from './stats.ts';
import { leads, type Target, targets } from './targets.ts';

/** One target in words. */
export type Line = {
  readonly what: string;
  readonly asked: string;
  readonly measured: string;
  readonly verdict: Verdict;
  /** What the verdict alone would hide; empty where there is nothing. */
  readonly note: string;
};

/** All targets, held against the results, in words. */
export const targetLines = (results: Results): readonly Line[] => [
  ...targets.map((target) => targetLine(results, target)),
  ...leads.map((lead) => leadLine(results, lead)),
];

const targetLine = (results: Results, target: Target): Line => {
  const { measured, verdict, stretched } = judge(results, target);
  const stretch = target.stretch === undefined ? '' : `, stretch ${asText(target, target.stretch)}`;
  return {
    what: target.title,
    asked: `at most ${asText(target, target.limit)}${stretch}`,
    measured: measured === undefined ? '-' : measuredText(target, measured),
    verdict,
    note: stretched ? 'stretch too' : '',
  };
};

/** Bytes with their unit; ratios and counts as they are. */
const asText = ({ measurement }: Target, value: number): string =>
  measurement === 'size' || measurement === 'gzip' ? quantity(value, 'bytes') : String(value);

const measuredText = (target: Target, measured: Spread): string => {
  if (target.to === undefined) return asText(target, measured.median);
  const spread = range(measured);
  // Three decimals: with two, 0.752 would read as the 0.75 that it misses.
  return `${measured.median.toFixed(3)}${spread && ` (${spread})`}`;
};
