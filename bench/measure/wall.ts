import { requests } from '../world/events.ts';
import { type ByVariant, interleave, pick } from './interleave.ts';
import { percentile } from './percentile.ts';
import type { Setting, Taken } from './setting.ts';
import { warmRun } from './warm-run.ts';
import { callMs, withTls } from './with-tls.ts';

/** One series of one value each: a percentile of a handful of requests would be their maximum. */
const pooled = (samples: ByVariant<readonly number[]>, share: number): ByVariant<number> =>
  Object.fromEntries(Object.entries(samples).map(([id, rounds]) => [id, [percentile(rounds.flat(), share)]]));

/** Time to answer at the distance of DynamoDB itself, in milliseconds. */
export const measureWall = async (setting: Setting): Promise<Taken[]> => {
  const loop = setting.quick ? { warmUp: 5, requests: 20 } : { warmUp: 10, requests: 30 };
  const sample = `${loop.requests} requests in a row after ${loop.warmUp} others; endpoint over TLS, ${callMs} ms per call.`;
  const runs = await withTls(setting.world, (environment) =>
    interleave(setting, 'time to answer', (variant) =>
      warmRun(variant, { environment, events: [requests.good], ...loop }),
    ),
  );
  const wallMs = pick(runs, (run) => run.wallMs);
  return [
    {
      id: 'wall',
      title: 'Time to answer',
      unit: 'ms',
      how: `The median of ${sample}`,
      values: pick(wallMs, (values) => percentile(values, 0.5)),
    },
    {
      id: 'wall-p99',
      title: 'Time to answer, 99th percentile',
      unit: 'ms',
      how: `One value over all rounds, the 99th percentile of each ${sample}`,
      values: pooled(wallMs, 0.99),
    },
  ];
};
