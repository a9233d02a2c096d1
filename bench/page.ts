import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { projectRoot } from '../tools/project.ts';
import { coldStart, type Results, ratioOf, spreadOf } from './results.ts';

export const pageFile = join(projectRoot, 'docs', 'performance.md');

/** The columns of each table. */
const tables: Readonly<Record<string, readonly string[]>> = {
  Start: ['bundle, KB', coldStart, 'first request, million instructions'],
  Warm: [
    'warm request, million instructions',
    'CPU, µs',
    'CPU with an engine, µs',
    'wall p50, ms',
    'peak memory, MB',
    'calls',
  ],
};

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A cell is `109 ×0.71 (0.62–0.76)`: the median, how many times the plain handler that is, and for times the quartiles. */
const cellOf = ({ figures }: Results, name: string, id: string): string => {
  const spread = spreadOf(figures[name]?.[id]);
  const value = spread ? number.format(spread.median) : '-';
  const ratio = ratioOf(figures[name], id, 'plain');
  if (!ratio || id === 'plain' || name === 'calls') return value;
  const quartiles = / [mµ]s$/.test(name) ? ` (${ratio.lower.toFixed(2)}–${ratio.upper.toFixed(2)})` : '';
  return `${value} ×${ratio.median.toFixed(2)}${quartiles}`;
};

/** A row for each variant that has one of these figures. */
const tableOf = (results: Results, [title, names]: readonly [string, readonly string[]]): string => {
  const columns = names.filter((name) => results.figures[name]);
  const rows = Object.entries(results.variants)
    .filter(([id]) => columns.some((name) => results.figures[name]?.[id]))
    .map(([id, name]) => [
      /^(space-files|against)/.test(id) ? `**${name}**` : name,
      ...columns.map((column) => cellOf(results, column, id)),
    ]);
  const align = ['l', ...columns.map(() => 'r')];
  return `### ${title}\n\n${markdownTable([['', ...columns], ...rows], { align })}`;
};

/** The generated parts of the page, by their name. */
export const partsOf = (results: Results) => ({
  run:
    `Measured on ${results.at.slice(0, 10)} (UTC): ${results.machine}.` +
    (results.figures[coldStart] ? '' : ' Instructions were not counted: valgrind was not installed.'),
  figures: Object.entries(tables)
    .map((table) => tableOf(results, table))
    .join('\n\n'),
});

/**
 * Replaces the generated parts of the page, which are between `<!-- NAME: generated ... -->` and `<!-- /NAME -->`.
 *
 * @throws {Error} if the page has no place for a part
 */
export const renderPage = (page: string, results: Results): string =>
  Object.entries(partsOf(results)).reduce((text, [name, content]) => {
    const place = new RegExp(`(<!-- ${name}: [^>]*-->\\n)[^]*?(<!-- /${name} -->)`);
    if (!place.test(text)) throw new Error(`docs/performance.md has no place for ${name}`);
    return text.replace(place, (_, begin, end) => `${begin}\n${content}\n\n${end}`);
  }, page);
