import { findMeasurement, type Results } from '../results.ts';
import { barChart } from './bars.ts';
import { growthChart } from './growth.ts';

/** The measurements that are drawn, in the order of the page. */
const drawn = ['cold', 'cold-512', 'wall', 'warm-engine', 'memory', 'size'];

export type Chart = { readonly id: string; readonly title: string; readonly svg: string };

/** All bar charts for which there are results. */
export const barCharts = (results: Results): readonly Chart[] =>
  drawn.flatMap((id) => {
    const measurement = findMeasurement(results, id);
    const svg = measurement && barChart(results, measurement);
    return svg === undefined ? [] : [{ id, title: measurement?.title ?? id, svg }];
  });

/** All charts of growth for which there are results. */
export const growthCharts = (results: Results): readonly Chart[] =>
  results.growths.flatMap((growth) => {
    const svg = growthChart(growth);
    return svg === undefined ? [] : [{ id: growth.id, title: growth.title, svg }];
  });
