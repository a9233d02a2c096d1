import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { apiKeys, files, spaces } from '#test/proof/input/support/fixtures.ts';
import { replayCommand, report, scale } from '#test/proof/support/run.ts';
import { openTables } from '#test/support/tables.ts';
import { engineEnvironment } from '#tools/dev-server/environment.ts';
import { startClosingProxy } from './support/closing-proxy.ts';
import { growthOf } from './support/growth.ts';

const FILE = 'test/proof/endurance/endurance.proof.ts';
const INVOCATIONS = 250_000 * scale;
const MAX_GROWTH = 1_000_000;
const ABREAST = 8;

const ResultSchema = z.object({
  heap: z.array(z.number()),
  baseline: z.array(z.string()),
  left: z.array(z.string()),
  unhandled: z.number(),
  warnings: z.array(z.string()),
  statuses: z.record(z.string(), z.number()),
});

const runProcess = async () => {
  const tables = await openTables('endurance');
  await Promise.all([
    ...apiKeys.map(tables.putApiKey),
    ...spaces.map(tables.putSpace),
    ...files.map(tables.putFile),
  ]);
  const proxy = await startClosingProxy(inject('endpoint'));
  const child = fork(new URL('support/endurance-process.ts', import.meta.url), [String(INVOCATIONS)], {
    env: {
      ...engineEnvironment(proxy.endpoint),
      API_KEYS_TABLE: tables.config.apiKeysTable,
      SPACES_TABLE: tables.config.spacesTable,
      FILES_TABLE: tables.config.filesTable,
    },
    // Code unused for a while is dropped, megabytes at once; that would hide what else grows.
    execArgv: ['--expose-gc', '--no-flush-bytecode'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${code} before it reported; ${replayCommand(FILE)}`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  // Warm connections are kept on purpose; what counts is that none stays once the server has closed its end.
  proxy.closeAll('end');
  for (let wait = 0; wait < 100 && proxy.open() > 0; wait += 1) await sleep(20);
  const sockets = { most: proxy.most(), left: proxy.open() };
  child.kill();
  proxy.stop();
  return { ...ResultSchema.parse(message), sockets };
};

test('the measure of growth finds a leak and overlooks noise', () => {
  expect(growthOf([10, 20, 30, 40])).toBeCloseTo(30);
  expect(growthOf([10, 12, 9, 10, 11])).toBeLessThan(1);
});

// Once more if need be: the garbage collector is not exact, and a leak shows twice.
test(`${INVOCATIONS} invocations in one process leave nothing behind`, { retry: 1 }, async () => {
  const { heap, sockets, baseline, left, unhandled, warnings, statuses } = await runProcess();
  const growth = growthOf(heap);
  report('endurance', {
    invocations: INVOCATIONS,
    ...Object.fromEntries(Object.entries(statuses).map(([status, count]) => [`answered ${status}:`, count])),
    'heap in KB:': heap.map((bytes) => Math.round(bytes / 1000)).join(' '),
    'slope over the run in KB:': (growth / 1000).toFixed(0),
    'most sockets:': sockets.most,
    'sockets left:': sockets.left,
    'unhandled rejections:': unhandled,
    'warnings:': warnings.length,
  });
  expect({ unhandled, warnings }).toEqual({ unhandled: 0, warnings: [] });
  expect(growth).toBeLessThan(MAX_GROWTH);
  expect(sockets.most).toBeGreaterThan(0);
  expect(sockets.most).toBeLessThanOrEqual(ABREAST);
  expect(sockets.left).toBe(0);
  expect(left).toEqual(baseline);
  expect(Object.keys(statuses).filter((status) => status >= '500')).toEqual([]);
});
