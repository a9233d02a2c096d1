import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiResponse } from '#lib/http/response.ts';
import type { Backend } from '#test/proof/access/engines/backend.ts';
import { openEngineTables } from '#test/proof/access/engines/engine-tables.ts';
import { openMemoryTables } from '#test/proof/access/engines/memory-tables.ts';
import { replayCommand, report, scale } from '#test/proof/support/run.ts';
import { changeCommand, waitCommand } from './change-command.ts';
import { anyChange } from './changes.ts';
import { patchCommand } from './patch-command.ts';
import { expectProperty } from './property.ts';
import { requestPlan } from './requests.ts';
import { setUp } from './run.ts';

const FILE = 'test/proof/model/model.proof.ts';
const replay = `Replay with: ${replayCommand(FILE)}`;

/** Of docs/contract.md: all but those of faults and of an item near 400 KB. */
const fixedMessages = [
  'x-user-id is required',
  'x-user-id is invalid',
  'x-tenant-id is required',
  'x-tenant-id is invalid',
  'Invalid API Key',
  'API Key does not have permission to access this resource',
  'Content-Type must be application/json',
  'Content-Encoding is not supported',
  'Request body is too large',
  'Request body is required',
  'Request body is not valid JSON',
  'Request body must be a JSON object',
  'Duplicate field "summary"',
  'At least one of summary, documentKind must be provided',
  'Space not found',
  'File not found',
  'If-Match is invalid',
  'File was changed by another request',
];

const passing = fc.oneof(fc.constantFrom(1, 999, 1_000, 5_000), fc.nat({ max: 10_000 }));

/** Sequences of commands on one set of tables, each from the same beginning. */
const sequences = async (tables: Backend, runs: number, lane: number) => {
  const statuses = new Map<number, number>();
  const messages = new Set<string>();
  const tally = ({ statusCode, body }: ApiResponse) => {
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    messages.add(JSON.parse(body).message);
  };
  const counts = { sequences: 0, commands: 0 };
  const patch = requestPlan.map((plan) => patchCommand(plan, tally));
  const commands = fc.commands(
    [patch, patch, patch, anyChange.map(changeCommand), passing.map(waitCommand), patch],
    { size: 'max', maxCommands: 30 },
  );
  const property = fc.asyncProperty(commands, async (sequence) => {
    const begun = await setUp(tables);
    await fc.asyncModelRun(() => begun, sequence);
    counts.sequences += 1;
    counts.commands += [...sequence].length;
  });
  await expectProperty(property, { file: FILE, runs, lane });
  return { ...counts, statuses, messages };
};

const told = (statuses: ReadonlyMap<number, number>) =>
  Object.fromEntries([...statuses].toSorted().map(([status, count]) => [`answered ${status}`, count]));

test('sequences on the real engine go as the reference says', async () => {
  const {
    statuses,
    messages: _,
    ...counts
  } = await sequences(await openEngineTables('model'), 60 * scale, 1);
  report('model-based sequences on the engine', { ...counts, ...told(statuses), divergences: 0 });
});

test('sequences on the stand-in go as the reference says', async () => {
  const { statuses, messages, ...counts } = await sequences(openMemoryTables(), 1_000 * scale, 0);
  report('model-based sequences', { ...counts, ...told(statuses), divergences: 0 });
  // A proof that never came to an answer of the contract would show nothing about it.
  expect([...statuses.keys()].toSorted(), replay).toEqual([200, 400, 401, 403, 404, 412, 413, 415]);
  expect(
    fixedMessages.filter((message) => !messages.has(message)),
    replay,
  ).toEqual([]);
});
