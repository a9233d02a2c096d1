import type { TakenGrowth } from '../setting.ts';
import { fileItem } from './file-item.ts';
import { type GrowthSetting, measurePoints } from './points.ts';
import { putItems } from './put-items.ts';
import { requestFor } from './request.ts';

const counts = [1, 4, 16, 64, 256];

/** More files than callers: two of them on one file would measure how the fence makes one of them wait. */
const files = Array.from({ length: 1_024 }, (_, index) => ({
  spaceId: 'handbook',
  fileId: `shared-${index}`,
}));

/**
 * How an update grows with the callers of one process, each of them on another file. An instance of Lambda serves one
 * caller at a time, so this is how the code itself bears company.
 */
export const growWithCallers = async (setting: GrowthSetting): Promise<TakenGrowth> => {
  const { world } = setting;
  const { endpoint, tables } = world;
  await putItems({ endpoint, table: tables.FILES_TABLE }, files.map(fileItem));
  const events = files.map(requestFor);
  const points = await measurePoints(
    setting,
    counts.map((at) => ({ at, world, events, callers: at })),
  );
  setting.progress('growth: parallel callers');
  return {
    id: 'growth-callers',
    title: 'Parallel callers',
    quantity: 'requests under way in one process',
    points,
  };
};
