import { childEnvironment } from '../world/environment.ts';
import { requests } from '../world/events.ts';
import { interleave, pick } from './interleave.ts';
import type { Setting, Taken } from './setting.ts';
import { warmRun } from './warm-run.ts';

/**
 * CPU per request without the network, in microseconds, once V8 has compiled most of it: the difference of two
 * variants is small, and of code that is hardly compiled it says nothing.
 */
export const measureOwnCpu = async (setting: Setting): Promise<Taken> => {
  const environment = childEnvironment(setting.world);
  const loop = setting.quick ? { warmUp: 500, requests: 500 } : { warmUp: 1_500, requests: 2_000 };
  const runs = await interleave(setting, 'our own CPU', (variant) =>
    warmRun(variant, { environment, stubbed: true, events: [requests.good], ...loop }),
  );
  return {
    id: 'own-cpu',
    title: 'CPU per request, network stubbed, after a long run',
    unit: 'µs',
    how:
      `User and system time of a process over ${loop.requests} requests in a row, after ${loop.warmUp} others; ` +
      'only of the plain handler, of ours and of our two SDK calls alone.',
    values: pick(runs, ({ cpuUs }) => cpuUs),
  };
};
