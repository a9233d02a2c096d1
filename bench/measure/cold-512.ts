import type { Variant } from '../types.ts';
import { type ColdOptions, type ColdRun, coldRun } from './cold-run.ts';
import { interleave, pick } from './interleave.ts';
import { findQuota, type MakeQuota } from './quota.ts';
import type { Setting, Taken } from './setting.ts';
import { callMs, withTls } from './with-tls.ts';

/**
 * Cold start of a function of 512 MB, in milliseconds: Lambda gives init the whole CPU and the first request 0.29 of
 * one. Undefined where no process can be put under a quota.
 */
export const measureCold512 = async (setting: Setting): Promise<Taken | undefined> => {
  const makeQuota = await findQuota();
  if (makeQuota === undefined) {
    setting.progress('cold start at 512 MB: skipped, this machine lets nobody set a CPU quota');
    return undefined;
  }
  const runs = await withTls(setting.world, (environment) =>
    interleave(setting, 'cold start at 512 MB', (variant) =>
      throttledRun(variant, { environment, makeQuota }),
    ),
  );
  return {
    id: 'cold-512',
    title: 'Cold start at 512 MB',
    unit: 'ms',
    how:
      'From loading the handler to its first answer: loaded at full speed, then invoked under a quota of 0.29 CPU ' +
      `(5.8 ms of each 20 ms). A fresh process for every value; endpoint over TLS, ${callMs} ms per call.`,
    values: pick(runs, ({ initMs, firstMs }) => initMs + firstMs),
  };
};

type ThrottledOptions = Pick<ColdOptions, 'environment'> & { readonly makeQuota: MakeQuota };

const throttledRun = async (
  variant: Variant,
  { environment, makeQuota }: ThrottledOptions,
): Promise<ColdRun> => {
  // A quota of its own for each process: what another one left unused or overdrew would carry over.
  const quota = await makeQuota();
  try {
    return await coldRun(variant, { environment, between: quota.add });
  } finally {
    await quota.remove();
  }
};
