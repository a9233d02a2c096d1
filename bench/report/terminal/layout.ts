import { type Colour, paint } from './paint.ts';

export type Row = { readonly cells: readonly string[]; readonly colour?: Colour | undefined };

const GAP = '  ';

const widthsOf = (rows: readonly Row[]): readonly number[] => {
  const columns = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
};

/** How many characters the widest line of these rows takes. */
export const widthOf = (rows: readonly Row[]): number => {
  const widths = widthsOf(rows);
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * Math.max(0, widths.length - 1);
};

/** Rows as aligned lines. The columns named in `left` start at the left, figures end at the right. */
export const layout = (
  rows: readonly Row[],
  { colour, left = [0] }: { colour: boolean; left?: readonly number[] },
): string => {
  const widths = widthsOf(rows);
  const lines = rows.map(({ cells, colour: wanted }) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0;
      return left.includes(column) ? cell.padEnd(width) : cell.padStart(width);
    });
    // Padded first: the codes of a colour have a length and no width.
    return paint(padded.join(GAP).trimEnd(), wanted, colour);
  });
  return lines.join('\n');
};
