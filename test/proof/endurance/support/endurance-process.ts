import { setTimeout as sleep } from 'node:timers/promises';
import { updateFile } from '#handlers/update-file.ts';
import { readConfig } from '#lib/config.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import { createClient } from '#lib/store/client.ts';
import { createStore, type Store } from '#lib/store/store.ts';
import { config, createMemoryClient } from '#test/proof/input/support/memory-client.ts';
import { aContext } from '#test/support/context.ts';
import { NOW } from '#test/support/given.ts';
import { mixedEvents } from './mixed-events.ts';

/*
 * Many invocations in one process, most over tables in memory and each 25th over HTTP to the engine. Run with
 * --expose-gc; reports by IPC.
 */
const invocations = Number(process.argv[2]);
const WARM_UP = 0.2;
const SAMPLES = 8;
const ABREAST = 8;
/** The function's timers live as long as the request's deadline: it is set to 1 s, so that a pause outlives them. */
const REMAINING_MS = 1_500;
const PAUSE_MS = 1_200;

let unhandled = 0;
const warnings: string[] = [];
process.on('unhandledRejection', () => {
  unhandled += 1;
});
process.on('warning', ({ message }) => void warnings.push(message));

const serve = (store: Store, now: () => number) => {
  let ids = 0;
  const deps = { now, newId: () => `request-${++ids}`, log: () => undefined, store: () => store };
  return createHandler(updateFile(deps), deps);
};
const baseline = process.getActiveResourcesInfo().toSorted();
const live = createClient();
const overHttp = serve(
  createStore({ client: live, config: readConfig(process.env), now: Date.now, random: Math.random }),
  Date.now,
);
const { client } = createMemoryClient();
const inMemory = serve(createStore({ client, config, now: () => NOW, random: () => 0 }), () => NOW);

const events = mixedEvents();
const context = aContext(REMAINING_MS);
const statuses: Record<string, number> = {};
const invoke = async (turn: number) => {
  const handler = turn % 25 === 0 ? overHttp : inMemory;
  const { statusCode } = await handler(JSON.parse(events[turn % events.length] ?? ''), context);
  statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
};
const invokeAll = async (first: number, last: number) => {
  const lane = async (_: unknown, offset: number) => {
    for (let turn = first + offset; turn < last; turn += ABREAST) await invoke(turn);
  };
  await Promise.all(Array.from({ length: ABREAST }, lane));
};

const heap: number[] = [];
const sample = async () => {
  await sleep(PAUSE_MS);
  for (let again = 0; again < 3; again += 1) {
    globalThis.gc?.();
    await sleep(10);
  }
  heap.push(process.memoryUsage().heapUsed);
};

const warm = Math.floor(invocations * WARM_UP);
await invokeAll(0, warm);
await sample();
for (let n = 0; n < SAMPLES; n += 1) {
  const step = (invocations - warm) / SAMPLES;
  await invokeAll(Math.floor(warm + n * step), Math.floor(warm + (n + 1) * step));
  await sample();
}
live.destroy();
await sleep(PAUSE_MS);
const left = process.getActiveResourcesInfo().toSorted();
process.send?.({ heap, baseline, left, unhandled, warnings, statuses });
