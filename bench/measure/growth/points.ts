import type { GrowthPoint, Variant } from '../../types.ts';
import { childEnvironment } from '../../world/environment.ts';
import type { World } from '../../world/world.ts';
import { type CountRun, countRun } from '../count-run.ts';
import { percentile } from '../percentile.ts';
import type { Setting } from '../setting.ts';
import { shuffled } from '../shuffled.ts';
import { type WarmRun, warmRun } from '../warm-run.ts';
import { withCounts } from '../with-counts.ts';

/** What growth is measured with: one variant, at each point `rounds` times. */
export type GrowthSetting = Omit<Setting, 'variants'> & { readonly variant: Variant };

/** One value of the quantity, and the requests that show it. */
export type Point = {
  readonly at: number;
  readonly world: World;
  readonly events: readonly object[];
  /** How many requests are under way at any time; 1 if not given. */
  readonly callers?: number;
};

/** Units are the same for every request. */
const countedRequests = 10;

/** A loop at which every caller has several turns. */
const loopOf = (quick: boolean, callers: number) =>
  quick
    ? { warmUp: 50, requests: Math.max(100, 2 * callers) }
    : { warmUp: 100, requests: Math.max(200, 4 * callers) };

/** Measures all points once per round, in another order each time: what else the machine does meets all alike. */
export const measurePoints = async (
  setting: GrowthSetting,
  points: readonly Point[],
): Promise<GrowthPoint[]> => {
  const runs = new Map<Point, WarmRun[]>(points.map((point) => [point, []]));
  for (let round = 1; round <= setting.rounds; round += 1)
    for (const point of shuffled(points, round)) runs.get(point)?.push(await timePoint(setting, point));
  const grown: GrowthPoint[] = [];
  for (const [point, taken] of runs) {
    const { readUnits, writeUnits } = await countPoint(setting, point);
    const wallMs = taken.flatMap((run) => run.wallMs);
    const cpuUs = taken.map((run) => run.cpuUs);
    grown.push({
      at: point.at,
      wallP50: percentile(wallMs, 0.5),
      wallP99: percentile(wallMs, 0.99),
      cpu: percentile(cpuUs, 0.5),
      readUnits,
      writeUnits,
    });
  }
  return grown;
};

const timePoint = (
  { variant, quick }: GrowthSetting,
  { world, events, callers = 1 }: Point,
): Promise<WarmRun> => {
  const environment = childEnvironment(world);
  return warmRun(variant, { environment, events, callers, ...loopOf(quick, callers) });
};

/** Apart from the timing, which counting would slow down. */
const countPoint = ({ variant }: GrowthSetting, { world, events }: Point): Promise<CountRun> =>
  withCounts(world, (counting) => countRun(variant, { counting, events, requests: countedRequests }));
