import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { projectRoot } from '../tools/project.ts';
import { type Results, ratioOf, spreadOf } from './results.ts';

export const pageFile = join(projectRoot, 'docs', 'performance.md');

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

/** A row for each figure, for what somebody gets who deploys this function. A warm request does not depend on the cache. */
const summaryOf = (results: Results): string => {
  const columns = {
    plain: 'plain handler',
    'space-files': 'as deployed by default',
    'space-files-cached': 'as deployed by the deploy workflow',
  };
  const rows = Object.keys(results.figures).map((name) => [
    name,
    ...Object.keys(columns).map((id) =>
      cellOf(results, name, results.figures[name]?.[id] ? id : 'space-files'),
    ),
  ]);
  return markdownTable([['', ...Object.values(columns)], ...rows], { align: ['l', 'r', 'r', 'r'] });
};

/** The generated parts of the page, by their name. */
export const partsOf = (results: Results) => {
  // Once they are warm, both forms of our function are the same: one of them was measured.
  const names = Object.keys(results.figures);
  const start = names.filter((name) => results.figures[name]?.['space-files-cached']);
  const warm = names.filter((name) => !start.includes(name));
  const figures = `### Start\n\n${tableOf(results, start)}\n\n### Warm\n\n${tableOf(results, warm)}`;
  return { run: results.run, summary: summaryOf(results), figures };
};

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
