import { markdownTable } from 'markdown-table';
import { type Results, ratioOf, spreadOf } from './results.ts';

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Figures whose rounds differ much: times, and the difference of two counts. */
const varies = /^first request| [mµ]s$/;

/** A cell is `109 ×0.71 (0.62–0.76)`: the median, times the plain handler's, and quartiles where rounds differ much. */
const cellOf = ({ figures }: Results, name: string, id: string): string => {
  const spread = spreadOf(figures[name]?.[id]);
  const value = spread ? number.format(spread.median) : '-';
  const ratio = ratioOf(figures[name], id, 'plain');
  if (!ratio || id === 'plain' || name === 'calls') return value;
  const quartiles = varies.test(name) ? ` (${ratio.lower.toFixed(2)}–${ratio.upper.toFixed(2)})` : '';
  return `${value} ×${ratio.median.toFixed(2)}${quartiles}`;
};

/** A row for each variant that has one of these figures. */
const tableOf = (results: Results, columns: readonly string[]): string => {
  const rows = Object.entries(results.variants)
    .filter(([id]) => columns.some((name) => results.figures[name]?.[id]))
    .map(([id, name]) => [
      /^(space-files|against)/.test(id) ? `**${name}**` : name,
      ...columns.map((column) => cellOf(results, column, id)),
    ]);
  return markdownTable([['', ...columns], ...rows], { align: ['l', ...columns.map(() => 'r')] });
};

/** The results as a sentence and two Markdown tables, in the form of docs/performance.md. */
export const formatResults = (results: Results): string => {
  // Once they are warm, both forms of our function are the same: one of them was measured.
  const names = Object.keys(results.figures);
  const start = names.filter((name) => results.figures[name]?.['space-files-cached']);
  const warm = names.filter((name) => !start.includes(name));
  return `${results.run}\n\n### Start\n\n${tableOf(results, start)}\n\n### Warm\n\n${tableOf(results, warm)}`;
};
