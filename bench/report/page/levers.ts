import { quantity, range, times } from '../format.ts';
import { markdownTable, section } from '../markdown.ts';
import { findMeasurement, type Results } from '../results.ts';
import { ratio, valuesOf } from '../stats.ts';

/** The bundle with nothing left out. */
const ALL = 'all';

/** What each stand-in of the build brings. */
export const leversSection = (results: Results): string => {
  const cold = findMeasurement(results, 'levers-cold');
  const size = findMeasurement(results, 'levers-size');
  const rows = Object.keys(cold?.values ?? {})
    .filter((lever) => lever !== ALL)
    .map((lever) => {
      const start = ratio(cold, lever, ALL);
      const more = (valuesOf(size, lever)?.median ?? 0) - (valuesOf(size, ALL)?.median ?? 0);
      return [
        `\`${lever}\``,
        quantity(more, 'bytes'),
        start ? `${times(start.median)} (${range(start)})` : '-',
      ];
    });
  return section('What each lever brings', [
    rows.length === 0
      ? 'Not measured.'
      : markdownTable(['left out', 'makes the bundle larger by', 'and the cold start, times'], rows),
    'Each left out by itself (`npm run build -- --without NAME`), against the bundle with all of them. What they are and what ' +
      'they risk: decisions [007](decisions/007-stand-ins-for-parts-of-the-sdk.md) to ' +
      '[011](decisions/011-a-code-cache-where-it-fits.md). Priming and the code cache are variants of their own in the figures below.',
  ]);
};
