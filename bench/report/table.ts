import type { Results } from './results.ts';
import { figuresTable } from './terminal/figures-table.ts';
import { targetsTable } from './terminal/targets-table.ts';

/** What a run prints at its end: all figures, then the targets. `width` is in characters. */
export const renderTables = (results: Results, style: { width: number; colour: boolean }): string =>
  `${figuresTable(results, style)}\n\n${targetsTable(results, style)}\n`;
