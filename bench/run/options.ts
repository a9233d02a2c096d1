import { parseOptions, UsageError } from '../../tools/cli.ts';
import { type PartName, partNames } from './parts.ts';

export const benchUsage = `Usage: npm run bench -- [options]

Measures the function beside others that do the same, and writes bench/results, docs/performance.md and its charts.

  --quick      under two minutes, fewer rounds: figures to look at, kept in bench/results/quick
  --only PART  measure this part alone; may be repeated (${partNames.join(', ')})
  --report     measure nothing: write page and charts anew from what is in bench/results
  --help       show this text

Keep the machine quiet meanwhile: ratios bear some noise, not all.
`;

export type BenchOptions = { quick: boolean; report: boolean; help: boolean; parts: readonly PartName[] };

const isPart = (name: string): name is PartName => partNames.some((part) => part === name);

const options = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  report: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Reads the command line of `npm run bench`. Throws a UsageError for what it does not know. */
export const readBenchOptions = (args: string[]): BenchOptions => {
  const { only = [], ...flags } = parseOptions(args, 'npm run bench', options);
  const parts = only.filter(isPart);
  const unknown = only.find((name) => !isPart(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no part "${unknown}"; there is: ${partNames.join(', ')}.`);
  return { ...flags, parts: parts.length > 0 ? parts : partNames };
};
