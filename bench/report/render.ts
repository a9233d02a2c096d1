import { barCharts, growthCharts } from './chart/charts.ts';
import { renderPage } from './page.ts';
import { CHARTS, PAGE } from './paths.ts';
import type { Results } from './results.ts';

/**
 * Every file that is made from results: paths from the project's folder, with their content. The same results give
 * the same bytes; no results give no files.
 */
export const renderAll = (results: Results): ReadonlyMap<string, string> => {
  if (results.measurements.length === 0 && results.growths.length === 0) return new Map();
  const charts = [...barCharts(results), ...growthCharts(results)];
  return new Map([
    [PAGE, renderPage(results)],
    ...charts.map(({ id, svg }) => [`${CHARTS}/${id}.svg`, svg] as const),
  ]);
};
