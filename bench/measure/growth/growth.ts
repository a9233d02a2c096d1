import type { TakenGrowth } from '../setting.ts';
import { growWithCallers } from './callers.ts';
import { growWithFiles } from './files.ts';
import type { GrowthSetting } from './points.ts';
import { growWithSummary } from './summary.ts';
import { growWithTags } from './tags.ts';

/** How one variant grows with four quantities; `rounds` processes per point. */
export const measureGrowth = async (setting: GrowthSetting): Promise<TakenGrowth[]> => {
  const grown: TakenGrowth[] = [];
  for (const grow of [growWithTags, growWithSummary, growWithCallers, growWithFiles])
    grown.push(await grow(setting));
  return grown;
};
