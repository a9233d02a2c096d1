import type { Measurement } from '../../types.ts';
import { figures } from '../figures.ts';
import { shownUnit } from '../format.ts';
import { markdownTable, section } from '../markdown.ts';
import type { Results } from '../results.ts';

const roundsOf = (values: Readonly<Record<string, readonly number[]>>): string => {
  const counts = Object.values(values).map((list) => list.length);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? String(most) : `${least} to ${most}`;
};

/** How each figure was taken. */
export const methodsSection = ({ measurements }: Results): string => {
  const place = ({ id }: Measurement) => {
    const index = figures.findIndex((figure) => figure.id === id);
    return index < 0 ? figures.length : index;
  };
  const sorted = measurements.toSorted((a, b) => place(a) - place(b));
  return section('How each figure was taken', [
    markdownTable(
      ['figure', 'unit', 'values', 'how'],
      sorted.map(({ title, unit, values, how }) => [title, shownUnit(unit), roundsOf(values), how]),
    ),
  ]);
};
