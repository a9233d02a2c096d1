import type { Growth } from '../../types.ts';
import { count, quantity } from '../format.ts';
import { frame } from './frame.ts';
import { linePanel } from './lines.ts';

// Pixels.
const TOP = 100;
const HEIGHT = 220;

/** How our function grows with one quantity: wall time and CPU side by side. Undefined where there are no points. */
export const growthChart = (growth: Growth): string | undefined => {
  if (growth.points.length === 0) return undefined;
  const { quantity: what } = growth;
  const wall = growth.points.map(({ at, wallP50 }) => ({ at, value: wallP50 }));
  const cpu = growth.points.map(({ at, cpu: value }) => ({ at, value }));
  return frame(
    {
      id: growth.id,
      title: growth.title,
      subtitle:
        'Wall time p50 and CPU per request. Both scales begin at zero; to the right each factor of ten takes the same way.',
      description: describe(growth),
      height: TOP + HEIGHT + 56,
    },
    [
      ...linePanel(
        { title: 'Wall time p50, ms', unit: 'ms', quantity: what, points: wall },
        { left: 72, top: TOP, width: 380, height: HEIGHT },
      ),
      ...linePanel(
        { title: 'CPU, µs', unit: 'µs', quantity: what, points: cpu },
        { left: 548, top: TOP, width: 380, height: HEIGHT },
      ),
    ],
  );
};

const describe = ({ quantity: what, points }: Growth): string =>
  points
    .map(
      ({ at, wallP50, cpu }) =>
        `${count(at)} ${what}: ${quantity(wallP50, 'ms')}, ${quantity(cpu, 'µs')} of CPU`,
    )
    .join('; ');
