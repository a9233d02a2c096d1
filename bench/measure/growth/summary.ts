import type { TakenGrowth } from '../setting.ts';
import { fileItem } from './file-item.ts';
import { type GrowthSetting, measurePoints } from './points.ts';
import { putItems } from './put-items.ts';
import { requestFor } from './request.ts';

/** Up to the longest summary that is taken. */
const lengths = [10, 100, 1_000, 10_000];
const fileOf = (length: number) => ({ spaceId: 'handbook', fileId: `with-summary-of-${length}` });

/** How an update grows with the length of the summary it sends, stores and gets back. */
export const growWithSummary = async (setting: GrowthSetting): Promise<TakenGrowth> => {
  const { world } = setting;
  const { endpoint, tables } = world;
  await putItems(
    { endpoint, table: tables.FILES_TABLE },
    lengths.map((length) => fileItem(fileOf(length))),
  );
  const points = await measurePoints(
    setting,
    lengths.map((at) => ({ at, world, events: [requestFor({ ...fileOf(at), summary: 'x'.repeat(at) })] })),
  );
  setting.progress('growth: length of the summary');
  return {
    id: 'growth-summary',
    title: 'Length of the summary',
    quantity: 'characters of the summary',
    points,
  };
};
