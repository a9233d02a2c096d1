import { barCharts, type Chart } from '../chart/charts.ts';
import { section } from '../markdown.ts';
import { CHARTS_BESIDE_PAGE } from '../paths.ts';
import type { Results } from '../results.ts';

/** A chart, as the page shows it. */
export const picture = ({ id, title }: Chart): string => `![${title}](${CHARTS_BESIDE_PAGE}/${id}.svg)`;

/** The charts of what was compared. */
export const picturesSection = (results: Results): string => {
  const charts = barCharts(results);
  return section('In pictures', charts.length === 0 ? ['Not measured.'] : charts.map(picture));
};
