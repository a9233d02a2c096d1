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
 * Many invocations in one process, one of 25 over HTTP to the engine, the others over tables in memory. Run with
 * --expose-gc; reports by IPC.
 */
const invocations = Number(process.argv[2]);
/** Compiled code that is no longer used goes only after several collections: the first samples are of the warm-up. */
const WARM_UP = 3;
const STEPS = 11;
const ABREAST = 8;
/**
 * Each request has a timer until its deadline. In memory that is set to 1 s, so that a pause outlives them. Over HTTP it
 * is the real one of 5 s; those run first, and a step takes longer.
 */
const inMemoryContext = aContext(1_500);
const overHttpContext = aContext(10_000);
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
const statuses: Record<string, number> = {};
const invokeAll = async (first: number, last: number) => {
  const firstInMemory = first + (last - first) / 25;
  const lane = async (_: unknown, offset: number) => {
    for (let turn = first + offset; turn < last; turn += ABREAST) {
      const event = JSON.parse(events[turn % events.length] ?? '');
      const { statusCode } =
        turn < firstInMemory
          ? await overHttp(event, overHttpContext)
          : await inMemory(event, inMemoryContext);
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    }
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

for (let step = 0; step < STEPS; step += 1) {
  await invokeAll(Math.floor((invocations * step) / STEPS), Math.floor((invocations * (step + 1)) / STEPS));
  await sample();
}
await sleep(5_000);
const left = process.getActiveResourcesInfo().toSorted();
process.send?.({ heap: heap.slice(WARM_UP), baseline, left, unhandled, warnings, statuses });
