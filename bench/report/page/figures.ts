import { type Cell, headOf } from '../cell.ts';
import { listed } from '../format.ts';
import { type Grid, gridsOf, notMeasured } from '../grid.ts';
import { markdownTable, section } from '../markdown.ts';
import { ANCHOR, nameOf, type Results } from '../results.ts';

const textOf = (cell: Cell | undefined): string => {
  if (cell === undefined) return '-';
  const ratio = cell.ratio && ` · ${cell.ratio}`;
  return `${cell.amount}${ratio}${cell.range && ` (${cell.range})`}`;
};

const tableOf = ({ title, columns, rows }: Grid): string => {
  const head = ['', ...columns.map(({ figure, measurement }) => headOf(figure, measurement))];
  const lines = rows.map(({ variant, cells }) => [
    variant.kind === 'ours' ? `**${variant.name}**` : variant.name,
    ...cells.map(textOf),
  ]);
  return `### ${title}\n\n${markdownTable(head, lines, { right: true })}`;
};

/** Every figure of every variant. */
export const figuresSection = (results: Results): string => {
  const missing = notMeasured(results).map(({ name }) => name);
  return section('All figures', [
    `Median · times the ${nameOf(results, ANCHOR)} (quartiles of that ratio). - is not measured. Less is better ` +
      'everywhere.',
    ...gridsOf(results).map(tableOf),
    missing.length === 0 ? '' : `Not measured in this run: ${listed(missing)}.`,
  ]);
};
