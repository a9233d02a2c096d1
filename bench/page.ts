import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { projectRoot } from '../tools/project.ts';
import { type Figure, ours, type Results, ratioOf, type Spread, spreadOf } from './results.ts';

export const pageFile = join(projectRoot, 'docs', 'performance.md');

/** A row for each variant, a column for each figure. */
const tables: Readonly<Record<string, readonly string[]>> = {
  'Size and memory': ['bundle, KB', 'peak memory, MB'],
  'Cold start': ['cold start, ms', 'cold start at 512 MB, ms'],
  Warm: ['wall p50, ms', 'wall p99, ms', 'CPU, µs', 'calls'],
};
const charts = ['cold start at 512 MB, ms'];
/** Figures that are the same in every round; they are compared in their own unit. */
const counted = ['calls'];

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const withoutUnit = (figure: string): string => figure.replace(/, ..$/, '');

const quartiles = ({ lower, upper }: Spread): string =>
  lower === upper ? '' : ` (${lower.toFixed(2)}–${upper.toFixed(2)})`;

const medianOf = (figure: Figure | undefined, id: string): string => {
  const spread = spreadOf(figure?.[id]);
  return spread ? number.format(spread.median) : '-';
};

/** Empty without rows. */
const tableOf = (headings: readonly string[], rows: readonly string[][]): string =>
  rows.length === 0
    ? ''
    : markdownTable([headings, ...rows], { align: ['l', ...headings.slice(1).map(() => 'r')] });

/** A cell is `109 ×0.71 (0.62–0.76)`: the median, and how many times the plain handler that is (quartiles). */
const figureTable = ({ figures, variants }: Results, names: readonly string[]): string => {
  const columns = names.filter((name) => figures[name]);
  const rows = Object.entries(variants)
    .filter(([id]) => columns.some((name) => figures[name]?.[id]))
    .map(([id, variant]) => [
      id.startsWith(ours) ? `**${variant}**` : variant,
      ...columns.map((name) => {
        const ratio = id !== 'plain' && !counted.includes(name) && ratioOf(figures[name], id, 'plain');
        const times = ratio ? ` ×${ratio.median.toFixed(2)}${quartiles(ratio)}` : '';
        return medianOf(figures[name], id) + times;
      }),
    ]);
  return tableOf(['', ...columns], rows);
};

const ratioChart = ({ figures, variants }: Results, figure: string): string => {
  const bars = Object.entries(variants).flatMap(([id, name]) => {
    const ratio = ratioOf(figures[figure], id, 'plain');
    return ratio ? { name, length: ratio.median } : [];
  });
  const sorted = bars.toSorted((a, b) => a.length - b.length);
  const longest = Math.max(...sorted.map(({ length }) => length));
  return [
    '```mermaid',
    'xychart-beta horizontal',
    `  title "${withoutUnit(figure)}"`,
    `  x-axis [${sorted.map(({ name }) => `"${name}"`).join(', ')}]`,
    // Without a range the axis would begin at the shortest bar.
    `  y-axis "times the plain handler" 0 --> ${longest.toFixed(2)}`,
    `  bar [${sorted.map(({ length }) => length.toFixed(2)).join(', ')}]`,
    '```',
  ].join('\n');
};

/** The figures of our function for each size of what may slow it down. */
const growthTable = ({ figures }: Results): string => {
  const { 'wall p50 by size, ms': wall = {}, 'write units by size': units } = figures;
  const rows = Object.keys(wall).map((size) => [size, medianOf(wall, size), medianOf(units, size)]);
  return tableOf(['', 'wall p50, ms', 'write units'], rows);
};

/** The generated parts of the page, by their name. */
export const partsOf = (results: Results) => ({
  run: `Measured on ${results.at.slice(0, 10)} (UTC): ${results.cpu}, ${results.cores} cores, Node ${results.node}.`,
  charts: charts
    .filter((figure) => results.figures[figure])
    .map((figure) => ratioChart(results, figure))
    .join('\n\n'),
  figures: Object.entries(tables)
    .filter(([, columns]) => columns.some((name) => results.figures[name]))
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
