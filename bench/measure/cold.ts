import { childEnvironment } from '../world/environment.ts';
import { coldRun } from './cold-run.ts';
import { interleave, pick } from './interleave.ts';
import type { Setting, Taken } from './setting.ts';

const sample =
  'A fresh process for every value, node:http loaded before as in Lambda; engine over plain HTTP.';

/**
 * Cold start on the bare engine, in milliseconds: in all, its two parts, and the memory after the first answer in MB.
 */
export const measureCold = async (setting: Setting): Promise<Taken[]> => {
  const environment = childEnvironment(setting.world);
  const runs = await interleave(setting, 'cold start', (variant) => coldRun(variant, { environment }));
  return [
    {
      id: 'cold',
      title: 'Cold start',
      unit: 'ms',
      how: `From loading the handler to its first answer. ${sample}`,
      values: pick(runs, ({ initMs, firstMs }) => initMs + firstMs),
    },
    {
      id: 'cold-init',
      title: 'Init',
      unit: 'ms',
      how: `Loading the handler, with what it awaits at its top level. ${sample}`,
      values: pick(runs, ({ initMs }) => initMs),
    },
    {
      id: 'cold-first',
      title: 'First answer',
      unit: 'ms',
      how: `The first invocation, from the text of the event to the text of the answer. ${sample}`,
      values: pick(runs, ({ firstMs }) => firstMs),
    },
    {
      id: 'memory-first',
      title: 'Memory after the first answer',
      unit: 'MB',
      how: `Resident memory of the whole process. ${sample}`,
      values: pick(runs, ({ firstRssMb }) => firstRssMb),
    },
  ];
};
