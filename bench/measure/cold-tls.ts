import { coldRun } from './cold-run.ts';
import { interleave, pick } from './interleave.ts';
import type { Setting, Taken } from './setting.ts';
import { callMs, withTls } from './with-tls.ts';

/** Cold start as it would be at DynamoDB itself, in milliseconds. */
export const measureColdTls = async (setting: Setting): Promise<Taken> => {
  const runs = await withTls(setting.world, (environment) =>
    interleave(setting, 'cold start over TLS', (variant) => coldRun(variant, { environment })),
  );
  return {
    id: 'cold-tls',
    title: 'Cold start over TLS',
    unit: 'ms',
    how:
      'From loading the handler to its first answer. A fresh process for every value; endpoint over TLS, ' +
      `${callMs} ms per call.`,
    values: pick(runs, ({ initMs, firstMs }) => initMs + firstMs),
  };
};
