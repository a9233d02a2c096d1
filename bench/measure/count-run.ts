import type { Variant } from '../types.ts';
import { warmRun } from './warm-run.ts';
import type { Counting } from './with-counts.ts';

/** Per request: calls to DynamoDB and its capacity units. */
export type CountRun = { readonly calls: number; readonly readUnits: number; readonly writeUnits: number };

/** Counts what `requests` requests of one process ask of DynamoDB; what its init asks is left out. */
export const countRun = async (
  variant: Variant,
  { counting, events, requests }: { counting: Counting; events: readonly object[]; requests: number },
): Promise<CountRun> => {
  const { environment, takeCounts } = counting;
  await warmRun(variant, { environment, events, warmUp: 0, requests, between: takeCounts });
  const { operations, readUnits, writeUnits } = await takeCounts();
  return {
    calls: operations.length / requests,
    readUnits: readUnits / requests,
    writeUnits: writeUnits / requests,
  };
};
