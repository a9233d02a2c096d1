import * as z from 'zod';
import type { Variant } from '../types.ts';
import { requests } from '../world/events.ts';
import { type ChildOptions, withChild } from './child.ts';

const InitSchema = z.object({ initMs: z.number() });
const ColdSchema = z.object({ firstMs: z.number(), firstRssMb: z.number() });

/** What one fresh process went through: milliseconds, and MB after the first answer. */
export type ColdRun = z.infer<typeof InitSchema> & z.infer<typeof ColdSchema>;

export type ColdOptions = Pick<ChildOptions, 'environment'> & {
  /** Done between init and first request; its time is not counted. */
  readonly between?: (pid: number) => Promise<unknown>;
};

/** One fresh process of the variant: init and first request. */
export const coldRun = (
  variant: Variant,
  { environment, between = async () => undefined }: ColdOptions,
): Promise<ColdRun> =>
  withChild({ script: 'cold.cjs', variant, environment }, async ({ pid, report, send }) => {
    const { initMs } = await report(InitSchema);
    await between(pid);
    send({ event: JSON.stringify(requests.good) });
    return { initMs, ...(await report(ColdSchema)) };
  });
