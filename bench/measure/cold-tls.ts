import { coldRun } from './cold-run.ts';
import { type ByVariant, interleave, pick } from './interleave.ts';
import { percentile } from './percentile.ts';
import type { Setting, Taken } from './setting.ts';
import { callMs, withTls } from './with-tls.ts';

const more = 10;

const sample = `A fresh process for every value; endpoint over TLS, ${callMs} ms per call.`;

/** One series of one value each: a percentile of a handful of requests would be their maximum. */
const pooled = (samples: ByVariant<readonly number[]>, share: number): ByVariant<number> =>
  Object.fromEntries(Object.entries(samples).map(([id, rounds]) => [id, [percentile(rounds.flat(), share)]]));

/** Cold start as it would be at DynamoDB itself, and the requests that follow it, in milliseconds. */
export const measureColdTls = async (setting: Setting): Promise<Taken[]> => {
  const runs = await withTls(setting.world, (environment) =>
    interleave(setting, 'cold start over TLS', (variant) => coldRun(variant, { environment, more })),
  );
  const later = pick(runs, ({ wallMs }) => wallMs);
  return [
    {
      id: 'cold-tls',
      title: 'Cold start over TLS',
      unit: 'ms',
      how: `From loading the handler to its first answer. ${sample}`,
      values: pick(runs, ({ initMs, firstMs }) => initMs + firstMs),
    },
    {
      id: 'wall',
      title: 'Time to answer',
      unit: 'ms',
      how: `The median of the ${more} requests after the first one. ${sample}`,
      values: pick(runs, ({ wallMs }) => percentile(wallMs, 0.5)),
    },
    {
      id: 'wall-p95',
      title: 'Time to answer, 95th percentile',
      unit: 'ms',
      how: `One value over all rounds: the 95th percentile of the ${more} requests after each first one. ${sample}`,
      values: pooled(later, 0.95),
    },
  ];
};
