import { eventOf, tagsOf, withFixture } from '../fixture.ts';
import { inRounds, type Measurement } from '../measurement.ts';
import { measureRun, type Variant } from '../process.ts';
import { type Figure, quantile } from '../results.ts';
import { countCalls } from './calls.ts';

/** How many files there are, how many tags each has, and how many callers change them to which summary. */
type Point = { files?: number; tags?: number; characters?: number; callers?: number };

const series = {
  'files in the space': { files: [100, 1_000, 10_000, 100_000, 1_000_000] },
  'tags of the file': { tags: [0, 10, 100, 1_000] },
  'characters of the summary': { characters: [10, 100, 1_000, 10_000] },
  'callers of one process': { callers: [1, 4, 16, 64, 256] },
};

/** More than callers: two callers on one file would measure how one of them has to write again. */
const fileCount = ({ callers = 1, files = Math.max(100, 4 * callers) }: Point) => files;

/** Files as the table holds them, otherwise as small as they can be. */
function* filesOf(point: Point) {
  const file = { spaceId: 'handbook', language: 'en', domain: 'hr', tags: tagsOf(point.tags ?? 0) };
  for (let index = 0; index < fileCount(point); index += 1) yield { ...file, fileId: `file-${index}` };
}

/** Up to 1,000 requests for files from all over the space. */
const eventsOf = (point: Point) => {
  const files = fileCount(point);
  const length = Math.min(files, 1_000);
  const body = JSON.stringify({ summary: 'x'.repeat(point.characters ?? 25) });
  return Array.from({ length }, (_, index) =>
    eventOf({ fileId: `file-${Math.floor((index * files) / length)}`, body }),
  );
};

const measurePoint = (variant: Variant, point: Point, quick: boolean) =>
  withFixture(async (fixture) => {
    const { callers = 1 } = point;
    const events = eventsOf(point);
    const requests = quick ? 100 : Math.max(200, 4 * callers);
    const loop = { callers, warmUp: 100, requests };
    const { wallMs, cpuUs } = await measureRun(variant, {
      environment: fixture.environment,
      events,
      ...loop,
    });
    // Apart from the timing, which counting would slow down.
    const { writeUnits } = await countCalls(variant, fixture, events);
    return { wallMs: quantile(wallMs, 0.5), cpuUs, writeUnits };
  }, filesOf(point));

/** How an update of our function grows with four quantities. Each size has an engine of its own. */
export const growth: Measurement = async ({ variants, quick }) => {
  const variant = variants.find(({ id }) => id === 'space-files');
  if (variant === undefined) throw new Error('our function was not built');
  const figures: Record<string, Figure> = {};
  for (const [quantity, varied] of Object.entries(series)) {
    const points = Object.entries(varied).flatMap(([name, sizes]: [string, readonly number[]]) =>
      (quick ? sizes.slice(0, 2) : sizes).map((size) => ({ id: `${size}`, point: { [name]: size } })),
    );
    const { valuesOf } = await inRounds(points, 1, ({ point }) => measurePoint(variant, point, quick));
    figures[`wall p50, ms, by ${quantity}`] = valuesOf(({ wallMs }) => wallMs);
    figures[`CPU, µs, by ${quantity}`] = valuesOf(({ cpuUs }) => cpuUs);
    figures[`write units, by ${quantity}`] = valuesOf(({ writeUnits }) => writeUnits);
  }
  return figures;
};
