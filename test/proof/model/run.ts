import { expect } from 'vitest';
import type { Backend } from '#test/proof/access/engines/backend.ts';
import { startService } from '#test/support/service.ts';
import { contentsOf, type State } from './state.ts';
import { beginning, universe } from './universe.ts';

/** What the reference knows in the course of a sequence. */
export type Model = {
  state: State;
  /** Versions that answers have told so far. */
  readonly seenVersions: number[];
  readonly seenRequestIds: Set<string>;
};

/** The real handler over tables, and the clock that both sides read. */
export type Real = {
  readonly tables: Backend;
  readonly service: ReturnType<typeof startService>;
  readonly clock: { now: number };
};

/** Puts the tables and the reference back to the beginning. */
export const setUp = async (tables: Backend): Promise<{ model: Model; real: Real }> => {
  const clock = { now: beginning.now };
  for (const [table, item] of universe) await tables.put(table, item);
  const service = startService(tables, { now: () => clock.now });
  return {
    model: { state: beginning, seenVersions: [], seenRequestIds: new Set() },
    real: { tables, service, clock },
  };
};

/** Every record of every table is as the reference has it. */
export const expectSameTables = async ({ state }: Model, { tables }: Real): Promise<void> => {
  expect(await tables.everything()).toStrictEqual(contentsOf(state));
};
