import * as z from 'zod';
import type { Variant } from '../types.ts';
import { type ChildOptions, withChild } from './child.ts';

const LoadedSchema = z.object({ initMs: z.number() });
const WarmSchema = z.object({ cpuUs: z.number(), wallMs: z.array(z.number()), peakMb: z.number() });

/** Microseconds of CPU per request, milliseconds of each request, and the most memory ever held in MB. */
export type WarmRun = z.infer<typeof WarmSchema>;

export type WarmOptions = Pick<ChildOptions, 'environment' | 'stubbed'> & {
  /** The requests, taken in turn. */
  readonly events: readonly object[];
  /** Requests before the measured ones. */
  readonly warmUp: number;
  readonly requests: number;
  /** How many requests are under way at any time. */
  readonly callers?: number;
  /** Done once the handler is loaded, before its first request. */
  readonly between?: () => Promise<unknown>;
};

/** A loop of requests in one process of the variant. */
export const warmRun = (variant: Variant, options: WarmOptions): Promise<WarmRun> => {
  const { environment, stubbed = false, events, callers = 1, between = async () => undefined } = options;
  const { warmUp, requests } = options;
  return withChild({ script: 'warm.cjs', variant, environment, stubbed }, async ({ report, send }) => {
    await report(LoadedSchema);
    await between();
    send({ events: events.map((event) => JSON.stringify(event)), callers, warmUp, requests });
    return report(WarmSchema);
  });
};
