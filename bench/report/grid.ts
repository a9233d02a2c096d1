import type { Measurement } from '../types.ts';
import { type Cell, cellOf } from './cell.ts';
import { type Figure, figureGroups, figures } from './figures.ts';
import { inOrder } from './order.ts';
import { type Described, findMeasurement, type Results } from './results.ts';

/** One table of figures, before it becomes text. */
export type Grid = {
  readonly title: string;
  readonly columns: readonly { readonly figure: Figure; readonly measurement: Measurement }[];
  /** One per variant that has any of the figures. */
  readonly rows: readonly { readonly variant: Described; readonly cells: readonly (Cell | undefined)[] }[];
};

/** The tables of what was measured; a group of which nothing was measured is left out. */
export const gridsOf = (results: Results): readonly Grid[] =>
  figureGroups.flatMap((group) => {
    const columns = group.figures.flatMap((figure) => {
      const measurement = findMeasurement(results, figure.id);
      return measurement === undefined ? [] : [{ figure, measurement }];
    });
    const rows = inOrder(results)
      .map((variant) => ({
        variant,
        cells: columns.map(({ figure, measurement }) => cellOf(measurement, figure, variant.id)),
      }))
      .filter(({ cells }) => cells.some((cell) => cell !== undefined));
    return rows.length === 0 ? [] : [{ title: group.title, columns, rows }];
  });

/** The figures that a run has not taken. */
export const notMeasured = (results: Results): readonly Figure[] =>
  figures.filter(({ id }) => findMeasurement(results, id) === undefined);
