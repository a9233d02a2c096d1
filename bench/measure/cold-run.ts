import * as z from 'zod';
import type { Variant } from '../types.ts';
import { requests } from '../world/events.ts';
import { type ChildOptions, withChild } from './child.ts';

const InitSchema = z.object({ initMs: z.number() });
const ColdSchema = z.object({ firstMs: z.number(), firstRssMb: z.number(), wallMs: z.array(z.number()) });

/** What one fresh process went through: milliseconds, MB after the first answer, milliseconds of each later request. */
export type ColdRun = z.infer<typeof InitSchema> & z.infer<typeof ColdSchema>;

export type ColdOptions = Pick<ChildOptions, 'environment'> & {
  /** Requests after the first one. */
  readonly more?: number;
  /** Done between init and first request; its time is not counted. */
  readonly between?: (pid: number) => Promise<unknown>;
};

/** One fresh process of the variant: init, first request, more requests. */
export const coldRun = (
  variant: Variant,
  { environment, more = 0, between = async () => undefined }: ColdOptions,
): Promise<ColdRun> =>
  withChild({ script: 'cold.cjs', variant, environment }, async ({ pid, report, send }) => {
    const { initMs } = await report(InitSchema);
    await between(pid);
    send({ event: JSON.stringify(requests.good), more });
    return { initMs, ...(await report(ColdSchema)) };
  });
