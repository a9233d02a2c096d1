import type { Growth } from '../../types.ts';
import { growthCharts } from '../chart/charts.ts';
import { growthSentence } from '../growth-sentence.ts';
import { section } from '../markdown.ts';
import type { Results } from '../results.ts';
import { picture } from './pictures.ts';

/** What a reader asks first comes first. */
const order = ['growth-files', 'growth-tags', 'growth-summary', 'growth-callers'];

const inOrder = (growths: readonly Growth[]): readonly Growth[] =>
  growths.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));

/** What makes our function slower, and what does not. */
export const growthSection = (results: Results): string => {
  const charts = growthCharts(results);
  const parts = inOrder(results.growths).map((growth) => {
    const chart = charts.find(({ id }) => id === growth.id);
    return [
      `### ${growth.title}`,
      growthSentence(growth),
      ...(chart === undefined ? [] : [picture(chart)]),
    ].join('\n\n');
  });
  return section('How it grows', parts.length === 0 ? ['Not measured.'] : parts);
};
