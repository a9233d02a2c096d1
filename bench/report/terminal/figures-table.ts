import type { Kind } from '../../types.ts';
import { type Cell, headOf } from '../cell.ts';
import { type Grid, gridsOf, notMeasured } from '../grid.ts';
import type { Described, Results } from '../results.ts';
import { layout, type Row, widthOf } from './layout.ts';
import { type Colour, paint } from './paint.ts';
import { wrap } from './wrap.ts';

const colours: Partial<Record<Kind, Colour>> = { ours: 'bold', bound: 'dim' };

/**
 * The figures of a run for a terminal: one row per variant, a median with its ratio to the anchor in every column,
 * and the quartiles of the ratio where the width allows.
 *
 * @param width in characters, 100 or more
 */
export const figuresTable = (
  results: Results,
  { width, colour }: { width: number; colour: boolean },
): string => {
  const blocks = gridsOf(results).map((grid) => {
    const spread = rowsOf(grid, true);
    const rows = widthOf(spread) <= width ? spread : rowsOf(grid, false);
    return `${paint(grid.title, 'bold', colour)}\n${layout(rows, { colour, left: [0, 1] })}`;
  });
  const missing = notMeasured(results);
  const note =
    missing.length === 0 ? [] : [wrap(`Not measured: ${missing.map(({ name }) => name).join(', ')}.`, width)];
  return [...blocks, ...note, wrap(EXPLAINED, width)].join('\n\n');
};

const EXPLAINED =
  'Each figure: its median, how many times the anchor (plain) that is, and the quartiles of that ratio over the ' +
  'rounds where they fit. - is not measured. Less is better everywhere.';

const rowsOf = ({ columns, rows }: Grid, withSpread: boolean): readonly Row[] => {
  return [
    { cells: ['', '', ...columns.map(({ figure, measurement }) => headOf(figure, measurement))] },
    ...rows.map(({ variant, cells }) => ({
      cells: [variant.name, labelOf(variant), ...cells.map((cell) => textOf(cell, withSpread))],
      colour: colours[variant.kind],
    })),
  ];
};

const labelOf = ({ kind, form }: Described): string => (kind === 'peer' ? form : kind);

const textOf = (cell: Cell | undefined, withSpread: boolean): string => {
  if (cell === undefined) return '-';
  const range = withSpread ? cell.range : '';
  return [cell.amount, cell.ratio, range].filter((part) => part !== '').join(' ');
};
