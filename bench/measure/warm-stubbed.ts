import { childEnvironment } from '../world/environment.ts';
import { requests } from '../world/events.ts';
import { interleave, pick } from './interleave.ts';
import type { Setting, Taken } from './setting.ts';
import { warmRun } from './warm-run.ts';

/** CPU of a warm process without the network, in microseconds per request. */
export const measureWarmStubbed = async (setting: Setting): Promise<Taken> => {
  const environment = childEnvironment(setting.world);
  const loop = { warmUp: 100, requests: 200 };
  const runs = await interleave(setting, 'warm, network stubbed', (variant) =>
    warmRun(variant, { environment, stubbed: true, events: [requests.good], ...loop }),
  );
  return {
    id: 'warm-stubbed',
    title: 'CPU per request, network stubbed',
    unit: 'µs',
    how:
      `User and system time of a process over ${loop.requests} requests in a row, after ${loop.warmUp} others; ` +
      'http.request and https.request replay, inside the process, what the engine replied to the first request.',
    values: pick(runs, ({ cpuUs }) => cpuUs),
  };
};
