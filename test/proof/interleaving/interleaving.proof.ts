import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Backend } from '#test/proof/access/engines/backend.ts';
import { openEngineTables } from '#test/proof/access/engines/engine-tables.ts';
import { openMemoryTables } from '#test/proof/access/engines/memory-tables.ts';
import { expectProperty } from '#test/proof/model/property.ts';
import { universe } from '#test/proof/model/universe.ts';
import { replayCommand, report, scale } from '#test/proof/support/run.ts';
import { race } from './race.ts';
import { scenario } from './scenario.ts';
import { expectSerialOrder } from './serial-order.ts';

// Waiting between attempts takes no time here: a timer would take the order out of the scheduler's hands.
vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }));

const FILE = 'test/proof/interleaving/interleaving.proof.ts';
const replay = `Replay with: ${replayCommand(FILE)}`;

const schedules = async (tables: Backend, runs: number, lane: number) => {
  const counts = {
    schedules: 0,
    patches: 0,
    allowed: 0,
    'file gone': 0,
    'changed on the way': 0,
    'sent again': 0,
  };
  const property = fc.asyncProperty(fc.scheduler(), scenario, async (scheduler, plan) => {
    for (const [table, item] of universe) await tables.put(table, item);
    const outcome = await race(tables, plan, scheduler);
    expectSerialOrder(plan, outcome, await tables.everything());

    const { steps, answers } = outcome;
    const reads = steps.filter(({ kind }) => kind === 'read').length;
    const writes = steps.filter(({ kind }) => kind === 'write').length;
    const firstRead = steps.findIndex(({ kind }) => kind === 'read');
    const lastWrite = steps.findLastIndex(({ kind }) => kind === 'write');
    const between = steps.slice(firstRead, Math.max(lastWrite, firstRead));
    counts.schedules += 1;
    counts.patches += answers.length;
    counts.allowed += answers.filter(({ statusCode }) => statusCode === 200).length;
    counts['file gone'] += answers.filter(({ body }) => body.includes('File not found')).length;
    counts['changed on the way'] += between.some(({ kind }) => kind === 'change') ? 1 : 0;
    counts['sent again'] += Math.max(0, writes - reads);
  });
  await expectProperty(property, { file: FILE, runs, lane });
  return { ...counts, 'without a serial order': 0 };
};

test.each([
  ['', 5_000, async () => openMemoryTables()],
  [' on the engine', 60, () => openEngineTables('interleaving')],
])('every schedule%s ends as some serial order would', async (where, runs, open) => {
  const counts = await schedules(await open(), runs * scale, runs);
  report(`interleavings${where}`, counts);
  expect(counts['changed on the way'], replay).toBeGreaterThan(counts.schedules / 10);
});
