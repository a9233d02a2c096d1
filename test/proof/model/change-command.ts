import type { AsyncCommand } from 'fast-check';
import { keyOf } from '#test/proof/access/engines/backend.ts';
import type { Change } from './changes.ts';
import { expectSameTables, type Model, type Real } from './run.ts';
import { find, withoutRecord, withRecord } from './state.ts';

/** Makes a change on both sides. */
export const changeCommand = ({ name, table, record, edit }: Change): AsyncCommand<Model, Real> => ({
  check: () => true,
  run: async (model, real) => {
    const after = edit(find(model.state, table, record), model.state.now);
    model.state = after
      ? withRecord(model.state, table, after)
      : withoutRecord(model.state, table, keyOf(table, record));
    await (after ? real.tables.put(table, after) : real.tables.remove(table, record));
    await expectSameTables(model, real);
  },
  toString: () => name,
});

/** Lets time pass on both sides. */
export const waitCommand = (ms: number): AsyncCommand<Model, Real> => ({
  check: () => true,
  run: async (model, real) => {
    real.clock.now += ms;
    model.state = { ...model.state, now: real.clock.now };
  },
  toString: () => `wait ${ms} ms`,
});
