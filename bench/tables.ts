import { markdownTable } from 'markdown-table';
import { type Results, ratioOf, spreadOf } from './results.ts';

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Figures whose rounds differ much: times, and differences of two counts. */
const varies = /^(first|warm) request| µs$/;

/** A cell is `109 ×0.71 (0.62–0.76)`: the median, times the expert's, and quartiles where rounds differ much. */
const cellOf = ({ figures }: Results, name: string, variant: string): string => {
  // Warm, both forms of our function are the same: one of them was measured.
  const id = figures[name]?.[variant] ? variant : variant.replace('-cached', '');
  const spread = spreadOf(figures[name]?.[id]);
  const value = spread ? number.format(spread.median) : '-';
  const ratio = ratioOf(figures[name], id, 'expert');
  if (!ratio || id === 'expert') return value;
  const quartiles = varies.test(name) ? ` (${ratio.lower.toFixed(2)}–${ratio.upper.toFixed(2)})` : '';
  return `${value} ×${ratio.median.toFixed(2)}${quartiles}`;
};

/** The results as a sentence and a Markdown table, in the form of docs/performance.md. */
export const formatResults = (results: Results): string => {
  const columns = Object.keys(results.figures);
  const rows = Object.entries(results.variants).map(([id, name]) => [
    name,
    ...columns.map((column) => cellOf(results, column, id)),
  ]);
  const align = ['l', ...columns.map(() => 'r')];
  return `${results.run}\n\n${markdownTable([['', ...columns], ...rows], { align })}\n`;
};
