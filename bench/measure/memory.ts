import { childEnvironment } from '../world/environment.ts';
import { requests } from '../world/events.ts';
import { interleave, pick } from './interleave.ts';
import type { Setting, Taken } from './setting.ts';
import { warmRun } from './warm-run.ts';

/** The most memory a warm process ever held, in MB. */
export const measureMemory = async (setting: Setting): Promise<Taken> => {
  const environment = childEnvironment(setting.world);
  // A heap grows in steps: after fewer, some variants stand just before one. A quick run stops there.
  const loop = { warmUp: 0, requests: setting.quick ? 400 : 1_500 };
  const runs = await interleave(setting, 'memory', (variant) =>
    warmRun(variant, { environment, events: [requests.good], ...loop }),
  );
  return {
    id: 'memory',
    title: 'Memory',
    unit: 'MB',
    how: `The most resident memory of a process by the end of ${loop.requests} requests in a row; engine over plain HTTP.`,
    values: pick(runs, ({ peakMb }) => peakMb),
  };
};
