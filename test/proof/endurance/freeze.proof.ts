import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, inject, test } from 'vitest';
import { goodRequests } from '#test/proof/leaks/support/requests.ts';
import { type Process, startProcess } from '#test/proof/leaks/support/start-process.ts';
import { fillWorld } from '#test/proof/leaks/support/world.ts';
import { report } from '#test/proof/support/run.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { type Farewell, startClosingProxy } from './support/closing-proxy.ts';

const FROZEN_MS = 2_000;

let tables: Tables;
beforeAll(async () => {
  tables = await openTables('freeze');
  await fillWorld(tables);
});

const [good] = goodRequests;
const statusOf = async (service: Process, lane: number, turn: number) =>
  (await service.send(good(lane, turn).event)).statusCode;

/** Freezes a warm process as Lambda does, lets the server close its sockets meanwhile, and thaws it. */
const freeze = async (
  lane: number,
  { farewell, sentInSleep }: { farewell: Farewell; sentInSleep: boolean },
) => {
  const proxy = await startClosingProxy(inject('endpoint'));
  const service = await startProcess({ endpoint: proxy.endpoint, config: tables.config });
  try {
    const warm = [await statusOf(service, lane, 1), await statusOf(service, lane, 2)];
    service.child.kill('SIGSTOP');
    const closed = proxy.closeAll(farewell);
    await sleep(FROZEN_MS);
    // What is sent in its sleep is read in the same turn of its event loop as the news of the dead sockets.
    const first = sentInSleep ? statusOf(service, lane, 3) : undefined;
    service.child.kill('SIGCONT');
    const thawed = [await (first ?? statusOf(service, lane, 3)), await statusOf(service, lane, 4)];
    const lines = await service.lines(4);
    const retries = lines.map((line) => Number(JSON.parse(line).retries));
    return {
      statuses: [...warm, ...thawed],
      closed,
      retries: retries.reduce((sum, count) => sum + count, 0),
    };
  } finally {
    service.child.kill('SIGCONT');
    await service.stop();
    proxy.stop();
  }
};

test('frozen for 2 s and thawed with dead sockets, the next request is answered 200', async () => {
  const cases = [
    { farewell: 'end', sentInSleep: false },
    { farewell: 'end', sentInSleep: true },
    { farewell: 'reset', sentInSleep: false },
    { farewell: 'reset', sentInSleep: true },
    { farewell: 'silence', sentInSleep: false },
  ] as const;
  const results = await Promise.all(cases.map((one, lane) => freeze(lane, one)));
  report('freeze', {
    processes: results.length,
    'sockets closed in their sleep:': results.reduce((sum, { closed }) => sum + closed, 0),
    'retries:': results.map(({ retries }) => retries).join('+'),
  });
  for (const { statuses, closed } of results) {
    expect(closed).toBeGreaterThan(0);
    expect(statuses).toEqual([200, 200, 200, 200]);
  }
  // A connection that died without a word is only found out by trying it.
  expect(results.at(-1)?.retries).toBeGreaterThan(0);
});
