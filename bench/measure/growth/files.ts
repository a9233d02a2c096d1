import type { World } from '../../world/world.ts';
import type { TakenGrowth } from '../setting.ts';
import { fileItem } from './file-item.ts';
import { startImportedWorld } from './imported-world.ts';
import { type GrowthSetting, measurePoints, type Point } from './points.ts';
import { putItems } from './put-items.ts';
import { requestFor } from './request.ts';

const spaceId = 'growing';
const space = {
  tenantId: { S: 'acme' },
  spaceId: { S: spaceId },
  ownerId: { S: 'grace' },
  visibility: { S: 'public' },
};
const fileOf = (index: number) => ({ spaceId, fileId: `file-${index}` });

const counts = [100, 1_000, 10_000, 100_000, 1_000_000];
const quickCounts = counts.slice(0, 3);

/** Requests for files from all over the space. */
const spread = (count: number) =>
  Array.from({ length: 100 }, (_, index) => requestFor(fileOf(Math.floor((index * count) / 100))));

function* filesOf(count: number) {
  for (let index = 0; index < count; index += 1) yield fileItem(fileOf(index));
}

/** How an update grows with the files of the space; an engine of its own for each point. */
export const growWithFiles = async (setting: GrowthSetting): Promise<TakenGrowth> => {
  const worlds: World[] = [];
  try {
    const points: Point[] = [];
    for (const at of setting.quick ? quickCounts : counts) {
      const world = await startImportedWorld(filesOf(at));
      worlds.push(world);
      await putItems({ endpoint: world.endpoint, table: world.tables.SPACES_TABLE }, [space]);
      points.push({ at, world, events: spread(at) });
      setting.progress(`growth: a space of ${at} files`);
    }
    const grown = await measurePoints(setting, points);
    setting.progress('growth: files in the space');
    return { id: 'growth-files', title: 'Files in the space', quantity: 'files in the space', points: grown };
  } finally {
    await Promise.all(worlds.map(({ stop }) => stop()));
  }
};
