import { join } from 'node:path';
import { styleText } from 'node:util';
import { markdownTable } from 'markdown-table';
import { type Figure, type Figures, type Results, ratioOf, type Spread, spreadOf } from './results.ts';
import { compare, counted, judge, ours, rivals, targets } from './targets.ts';

export const pageFile = join(import.meta.dirname, '..', 'docs', 'performance.md');

/** The tables of figures: a row for each variant, a column for each figure. */
const tables: Readonly<Record<string, readonly string[]>> = {
  'Size and memory': ['bundle, KB', 'gzipped, KB', 'peak memory, MB'],
  'Cold start': ['cold start, ms', 'cold start at 512 MB, ms'],
  Warm: ['wall p50, ms', 'wall p99, ms', 'CPU, µs', ...counted],
};
const charts = ['cold start at 512 MB, ms', 'wall p50, ms', 'peak memory, MB'];
const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

const quartiles = ({ lower, upper }: Spread): string =>
  lower === upper ? '' : ` (${lower.toFixed(2)}–${upper.toFixed(2)})`;

const medianOf = (figure: Figure | undefined, id: string): string => {
  const spread = spreadOf(figure?.[id]);
  return spread ? number.format(spread.median) : '-';
};

/** `109 ×0.71 (0.62–0.76)`: the median, how many times the plain handler that is, and the quartiles of that. */
const cellOf = (figures: Figures, name: string, id: string): string => {
  const ratio = ratioOf(figures[name], id, 'plain');
  const times = ratio && id !== 'plain' && !counted.includes(name);
  return `${medianOf(figures[name], id)}${times ? ` ×${ratio.median.toFixed(2)}${quartiles(ratio)}` : ''}`;
};

/** Empty without rows. */
const tableOf = (headings: readonly string[], rows: readonly string[][]): string =>
  rows.length === 0
    ? ''
    : markdownTable([headings, ...rows], { align: headings.map((_, index) => (index > 0 ? 'r' : 'l')) });

const figureTable = ({ figures, variants }: Results, columns: readonly string[]): string => {
  const rows = Object.entries(variants)
    .filter(([id]) => columns.some((name) => figures[name]?.[id]))
    .map(([id, name]) => [
      id.startsWith(ours) ? `**${name}**` : name,
      ...columns.map((column) => cellOf(figures, column, id)),
    ]);
  return tableOf(['', ...columns], rows);
};

/** Every target, with what was measured and whether it is reached. */
const targetTable = ({ figures, variants }: Results): string => {
  const verdict = (reached: boolean) => (reached ? 'reached' : '**missed**');
  const rows = targets.map((target) => {
    const { figure, variant = ours, limit } = target;
    const form = variants[variant]?.replace(ours, '');
    const what = [`${target.in ? figure : figure.replace(/, ..$/, '')}${form}`, `${limit}`];
    const judged = judge(figures, target);
    if (judged === undefined) return [...what, '-', 'not measured'];
    const { measured, reached } = judged;
    // Three decimals: with two, 0.752 would read as the 0.75 that it misses.
    const ratio = `${measured.median.toFixed(3)}${quartiles(measured)}`;
    return [...what, target.in ? number.format(measured.median) : ratio, verdict(reached)];
  });
  const leads = rivals.map((rival) => {
    const { compared, behind } = compare(figures, rival);
    const ahead = `${compared - behind.length} of ${compared}`;
    return [`ahead of ${variants[rival]}`, 'every figure', ahead, behind.join('; ') || verdict(compared > 0)];
  });
  return markdownTable([['target', 'at most', 'measured', ''], ...rows, ...leads]);
};

const ratioChart = ({ figures, variants }: Results, figure: string): string => {
  const points = Object.entries(variants).flatMap(([id, name]): [string, number][] => {
    const ratio = ratioOf(figures[figure], id, 'plain');
    return ratio ? [[name, ratio.median]] : [];
  });
  const sorted = points.toSorted(([, a], [, b]) => a - b);
  const [, longest = 1] = sorted.at(-1) ?? [];
  return [
    '```mermaid',
    'xychart-beta horizontal',
    `  title "${figure.replace(/, ..$/, '')}"`,
    `  x-axis [${sorted.map(([name]) => `"${name}"`).join(', ')}]`,
    // Without a range the axis would begin at the shortest bar.
    `  y-axis "times the plain handler" 0 --> ${longest.toFixed(2)}`,
    `  bar [${sorted.map(([, ratio]) => ratio.toFixed(2)).join(', ')}]`,
    '```',
  ].join('\n');
};

/** Wall time, CPU and write units at the smallest and at the largest size of what grows. */
const growthTable = ({ figures }: Results): string => {
  const kinds = ['wall p50, ms', 'CPU, µs', 'write units'];
  const quantities = Object.keys(figures).flatMap((name) => /^wall p50, ms, by (.*)/.exec(name)?.[1] ?? []);
  const rows = quantities.map((quantity) => {
    const ofKinds = kinds.map((kind) => figures[`${kind}, by ${quantity}`] ?? {});
    const sizes = Object.keys(ofKinds[0] ?? {});
    const ends = [sizes.at(0) ?? '', sizes.at(-1) ?? ''];
    const cells = ofKinds.map((figure) => ends.map((size) => medianOf(figure, size)).join(' → '));
    return [quantity, ends.map((size) => number.format(Number(size))).join(' → '), ...cells];
  });
  return tableOf(['what grows', 'from → to', ...kinds], rows);
};

/** The generated parts of the page, by their name. */
const partsOf = (results: Results): Readonly<Record<string, string>> => ({
  run: `Measured on ${results.at.slice(0, 10)} (UTC): ${results.cpu}, ${results.cores} cores, Node ${results.node}.`,
  targets: targetTable(results),
  charts: charts.map((figure) => ratioChart(results, figure)).join('\n\n'),
  figures: Object.entries(tables)
    .map(([title, columns]) => `### ${title}\n\n${figureTable(results, columns)}`)
    .join('\n\n'),
  growth: growthTable(results),
});

/**
 * Replaces the generated parts of the page, which are between `<!-- NAME: generated ... -->` and `<!-- /NAME -->`.
 *
 * @throws {Error} if the page has no place for a part
 */
export const renderPage = (page: string, results: Results): string =>
  Object.entries(partsOf(results)).reduce((text, [name, content]) => {
    const place = new RegExp(`(<!-- ${name}: [^>]*-->\\n)[^]*?(<!-- /${name} -->)`);
    if (!place.test(text)) throw new Error(`docs/performance.md has no place for ${name}`);
    return text.replace(place, (_, begin, end) => `${begin}\n${content}\n\n${end}`);
  }, page);

/** The figures and targets of a run as text for a terminal. */
export const renderFigures = (results: Results): string => {
  const figureTables = Object.entries(tables).map(([title, columns]) => [
    title,
    figureTable(results, columns),
  ]);
  const all = [...figureTables, ['Growth', growthTable(results)], ['Targets', targetTable(results)]];
  const note = '× is the ratio to the plain handler in the same round: median (quartiles). Less is better.\n';
  const measured = all.filter(([, table]) => table !== '');
  return [...measured.map(([title = '', table]) => `${styleText('bold', title)}\n${table}`), note].join(
    '\n\n',
  );
};
