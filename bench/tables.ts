import { markdownTable } from 'markdown-table';
import { UsageError } from '../tools/cli.ts';
import { type Results, ratioOf, spreadOf, warmFormOf } from './results.ts';
import { compareWithoutParts, formatChart } from './summary.ts';

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Figures whose rounds differ much: times, and differences of two counts. */
const varies = /^(first|warm) request| µs$/;

/** A cell is `109 ×0.71 (0.62–0.76)`: the median, times the expert's, and quartiles where rounds differ much. */
const cellOf = ({ figures }: Results, name: string, variant: string): string => {
  const id = figures[name]?.[variant] ? variant : warmFormOf(variant);
  const spread = spreadOf(figures[name]?.[id]);
  const value = spread ? number.format(spread.median) : '-';
  const ratio = ratioOf(figures[name], id, 'expert');
  if (!ratio || id === 'expert') return value;
  const quartiles = varies.test(name) ? ` (${ratio.lower.toFixed(2)}–${ratio.upper.toFixed(2)})` : '';
  return `${value} ×${ratio.median.toFixed(2)}${quartiles}`;
};

/** The results as a Markdown table. */
export const formatTable = (results: Results): string => {
  const columns = Object.keys(results.figures);
  const rows = Object.entries(results.variants).map(([id, name]) => [
    name,
    ...columns.map((column) => cellOf(results, column, id)),
  ]);
  const align = ['l', ...columns.map(() => 'r')];
  return markdownTable([['', ...columns], ...rows], { align });
};

/** Puts results into the text of docs/performance.md, between the two comments for them. */
export const withResults = (page: string, results: Results): string => {
  const block = /(?<=<!-- results: [^>]*-->\n\n).*?(?=\n\n<!-- end of results -->)/s;
  if (!block.test(page)) throw new UsageError('docs/performance.md has no comments around the results.');
  const parts = [results.run, formatChart(results), formatTable(results), compareWithoutParts(results)];
  return page.replace(block, () => parts.filter((part) => part !== '').join('\n\n'));
};
