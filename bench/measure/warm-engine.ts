import { childEnvironment } from '../world/environment.ts';
import { requests } from '../world/events.ts';
import { interleave, pick } from './interleave.ts';
import type { Setting, Taken } from './setting.ts';
import { warmRun } from './warm-run.ts';

/** CPU of a warm process on the engine, in microseconds per request. */
export const measureWarmEngine = async (setting: Setting): Promise<Taken> => {
  const environment = childEnvironment(setting.world);
  const loop = { warmUp: 80, requests: 160 };
  const runs = await interleave(setting, 'warm, on the engine', (variant) =>
    warmRun(variant, { environment, events: [requests.good], ...loop }),
  );
  return {
    id: 'warm-engine',
    title: 'CPU per request',
    unit: 'µs',
    how:
      `User and system time of a process over ${loop.requests} requests in a row, after ${loop.warmUp} others; ` +
      'engine over plain HTTP.',
    values: pick(runs, ({ cpuUs }) => cpuUs),
  };
};
