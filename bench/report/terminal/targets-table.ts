import type { Verdict } from '../judge.ts';
import type { Results } from '../results.ts';
import { type Line, targetLines } from '../target-lines.ts';
import { layout } from './layout.ts';
import type { Colour } from './paint.ts';
import { wrap } from './wrap.ts';

const colours: Record<Verdict, Colour> = { reached: 'green', missed: 'red', 'not measured': 'dim' };

/** The notes that are too long for a column. */
const SHORT = 20;

/**
 * The targets of a run for a terminal: asked, measured, reached or not, and below the figures in which a lead is
 * none.
 *
 * @param width in characters, 100 or more
 */
export const targetsTable = (
  results: Results,
  { width, colour }: { width: number; colour: boolean },
): string => {
  const lines = targetLines(results);
  const head = { cells: ['Targets: ratios to plain', 'asked', 'measured', ''], colour: 'bold' } as const;
  const rows = lines.map((line) => ({ cells: cellsOf(line), colour: colours[line.verdict] }));
  const notes = lines
    .filter(({ note }) => note.length > SHORT)
    .map(({ what, note }) => wrap(`${what}: ${note}.`, width));
  return [layout([head, ...rows], { colour, left: [0, 1, 2, 3] }), ...notes].join('\n\n');
};

const cellsOf = ({ what, asked, measured, verdict, note }: Line): readonly string[] => [
  what,
  asked,
  measured,
  note === '' || note.length > SHORT ? verdict : `${verdict}, ${note}`,
];
