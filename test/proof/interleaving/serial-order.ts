import { expect } from 'vitest';
import { type Contents, keyOf } from '#test/proof/access/engines/backend.ts';
import {
  patched,
  refusalBeforeWrite,
  refusalOfWrite,
  versionOf,
  viewOf,
} from '#test/proof/model/reference.ts';
import type { Refusal } from '#test/proof/model/request.ts';
import { contentsOf, find, type State, withoutRecord, withRecord } from '#test/proof/model/state.ts';
import { beginning } from '#test/proof/model/universe.ts';
import type { Outcome, Step } from './race.ts';
import type { Scenario } from './scenario.ts';

type Racing = {
  readonly state: State;
  /** What each PATCH was told so far; undefined: it was let in, or has not come yet. */
  readonly refusals: ReadonlyMap<number, Refusal>;
};

/**
 * The reference, one step at a time in the order in which the steps ran: a PATCH is decided when it reads and
 * changes the file when it writes; of several attempts to write, only the last one counts.
 */
const afterStep =
  ({ racers, changes }: Scenario, { steps, answers }: Outcome) =>
  ({ state, refusals }: Racing, step: Step, at: number): Racing => {
    if (step.kind === 'change') {
      const change = changes[step.change];
      if (!change) throw new Error('a change that is not in the scenario');
      const { table, record, edit } = change;
      const after = edit(find(state, table, record), state.now);
      const changed = after
        ? withRecord(state, table, after)
        : withoutRecord(state, table, keyOf(table, record));
      return { state: changed, refusals };
    }
    const { racer: index } = step;
    const racer = racers[index];
    if (!racer) throw new Error('a racer that is not in the scenario');
    const { request } = racer;
    const told = (refusal: Refusal | undefined) =>
      refusal ? new Map([...refusals, [index, refusal]]) : refusals;
    // A key expires by the clock of the instance that asks.
    const seen = { ...state, now: state.now + racer.clockOff };
    if (step.kind === 'read') return { state, refusals: told(refusalBeforeWrite(seen, request)) };

    const isLast = !steps.slice(at + 1).some((later) => later.kind === 'write' && later.racer === index);
    if (!isLast) return { state, refusals };
    const refusal = refusalOfWrite(state, request);
    if (refusal) return { state, refusals: told(refusal) };
    const file = find(state, 'files', request) ?? {};
    const version = Number(answers[index]?.headers['etag']?.slice(1, -1));
    expect(version, 'a version above the stored one').toBeGreaterThan(versionOf(file));
    const patch = 'patch' in request.body.means ? request.body.means.patch : {};
    const stamp = { version, requestId: `racer-${index}`, updatedBy: request.user.sent };
    return { state: withRecord(state, 'files', patched(file, patch, stamp)), refusals };
  };

/** Every answer and every table is what the steps, one after the other, would have left. */
export const expectSerialOrder = (scenario: Scenario, outcome: Outcome, tables: Contents): void => {
  const { steps, answers } = outcome;
  const step = afterStep(scenario, outcome);
  let racing: Racing = { state: beginning, refusals: new Map() };
  const expected = new Map<number, unknown>();
  for (const [at, taken] of steps.entries()) {
    racing = step(racing, taken, at);
    if (taken.kind !== 'write') continue;
    const { request } = scenario.racers[taken.racer] ?? {};
    const file = request && find(racing.state, 'files', request);
    expected.set(taken.racer, file && viewOf(file));
  }
  for (const [index, answer] of answers.entries()) {
    const refusal = racing.refusals.get(index);
    const body = refusal ? { message: refusal.message } : expected.get(index);
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([refusal?.status ?? 200, body]);
    if (refusal?.headers) expect(answer.headers).toMatchObject(refusal.headers);
    const own = steps.filter((taken) => taken.kind !== 'change' && taken.racer === index);
    expect(own.map(({ kind }) => kind).slice(0, 2)).toEqual(own.length > 1 ? ['read', 'write'] : ['read']);
  }
  expect(tables).toStrictEqual(contentsOf(racing.state));
};
