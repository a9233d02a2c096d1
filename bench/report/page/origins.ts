import type { Origin } from '../../types.ts';
import { listed } from '../format.ts';
import type { Results } from '../results.ts';

const modes = { whole: 'a whole run', quick: 'a quick run: to look at, not to rely on' } as const;

const describe = ({ cpu, cores, node, mode }: Origin): string =>
  `${cpu}, ${cores} cores, Node ${node.replace(/^v/, '')}, ${modes[mode]}`;

/** Where the figures come from: one point per machine, with its days and, where there are several, its figures. */
export const origins = ({ measurements, growths }: Results): readonly string[] => {
  const machines = Map.groupBy([...measurements, ...growths], describe);
  return [...machines].map(([machine, taken]) => {
    const days = [...new Set(taken.map(({ at }) => at.slice(0, 10)))].toSorted();
    const figures = machines.size > 1 ? `: ${taken.map(({ id }) => id).join(', ')}` : '';
    return `Measured on ${listed(days)} (UTC): ${machine}${figures}.`;
  });
};
