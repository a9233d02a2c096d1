import type { TakenGrowth } from '../setting.ts';
import { fileItem } from './file-item.ts';
import { type GrowthSetting, measurePoints } from './points.ts';
import { putItems } from './put-items.ts';
import { requestFor } from './request.ts';

const counts = [0, 10, 100, 1_000];
const fileOf = (tags: number) => ({ spaceId: 'handbook', fileId: `with-${tags}-tags` });

/** How an update grows with the tags of the file it changes, which come back with it. */
export const growWithTags = async (setting: GrowthSetting): Promise<TakenGrowth> => {
  const { world } = setting;
  const { endpoint, tables } = world;
  await putItems(
    { endpoint, table: tables.FILES_TABLE },
    counts.map((tags) => fileItem({ ...fileOf(tags), tags })),
  );
  const points = await measurePoints(
    setting,
    counts.map((at) => ({ at, world, events: [requestFor(fileOf(at))] })),
  );
  setting.progress('growth: tags per file');
  return { id: 'growth-tags', title: 'Tags per file', quantity: 'tags of the file', points };
};
