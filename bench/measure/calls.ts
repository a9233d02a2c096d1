import { requests } from '../world/events.ts';
import { countRun } from './count-run.ts';
import { interleave, pick } from './interleave.ts';
import type { Setting, Taken } from './setting.ts';
import { withCounts } from './with-counts.ts';

/** Enough to see a cache at work; a count needs no rounds. */
const perVariant = 10;
const how = `Counted in front of the engine over ${perVariant} requests for a file of about 1 KB that are answered with 200; init left out.`;

/** Calls to DynamoDB and its capacity units, per request. */
export const measureCalls = async (setting: Setting): Promise<Taken[]> => {
  const counts = await withCounts(setting.world, (counting) =>
    interleave({ ...setting, rounds: 1 }, 'calls', (variant) =>
      countRun(variant, { counting, events: [requests.good], requests: perVariant }),
    ),
  );
  return [
    {
      id: 'calls',
      title: 'Calls to DynamoDB per request',
      unit: 'calls',
      how,
      values: pick(counts, ({ calls }) => calls),
    },
    {
      id: 'read-units',
      title: 'Read units per request',
      unit: 'units',
      how,
      values: pick(counts, ({ readUnits }) => readUnits),
    },
    {
      id: 'write-units',
      title: 'Write units per request',
      unit: 'units',
      how,
      values: pick(counts, ({ writeUnits }) => writeUnits),
    },
  ];
};
