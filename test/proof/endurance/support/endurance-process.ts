import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { updateFile } from '#handlers/update-file.ts';
import { readConfig } from '#lib/runtime/deps.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import { createClient } from '#lib/runtime/deps.ts';
import { createStore, type Store } from '#lib/runtime/deps.ts';
import { config, createMemoryClient } from '#test/proof/input/support/memory-client.ts';
import { aContext } from '#test/support/context.ts';
import { NOW } from '#test/support/given.ts';
import { mixedEvents } from './mixed-events.ts';

/*
 * Many invocations in one process, one of 25 over HTTP to the engine, the others over tables in memory. Run with
 * --expose-gc; reports by IPC.
 */
const invocations = Number(process.argv[2]);
/** The first samples are of the warm-up and do not count. */
const WARM_UP = 3;
const STEPS = 11;
const ABREAST = 8;
/**
 * Each request has a timer until its deadline. In memory that is set to 1 s, so that a pause outlives them; over HTTP to
 * 2.5 s, and those run first in each step.
 */
const inMemoryContext = aContext(1_500);
const overHttpContext = aContext(3_000);
const PAUSE_MS = 1_500;

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
const overHttp = serve(
  createStore({
    client: createClient(),
    config: readConfig(process.env),
    now: Date.now,
    random: Math.random,
  }),
  Date.now,
);
const { client } = createMemoryClient();
const inMemory = serve(createStore({ client, config, now: () => NOW, random: () => 0 }), () => NOW);

const events = mixedEvents();
const statuses: Record<string, number> = {};
const invokeAll = async (
  handler: typeof inMemory,
  context: typeof inMemoryContext,
  turns: readonly number[],
) => {
  const lane = async (_: unknown, offset: number) => {
    for (let n = offset; n < turns.length; n += ABREAST) {
      const { statusCode } = await handler(
        JSON.parse(events[(turns[n] ?? 0) % events.length] ?? ''),
        context,
      );
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
      // Nothing in memory ever waits: without a pause no timer of any request would run.
      if (n % 50 === 0) await setImmediate();
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
  const first = Math.floor((invocations * step) / STEPS);
  const last = Math.floor((invocations * (step + 1)) / STEPS);
  const turns = Array.from({ length: last - first }, (_, n) => first + n);
  const live = Math.ceil(turns.length / 25);
  await invokeAll(overHttp, overHttpContext, turns.slice(0, live));
  await invokeAll(inMemory, inMemoryContext, turns.slice(live));
  await sample();
}
await sleep(5_000);
const left = process.getActiveResourcesInfo().toSorted();
process.send?.({ heap: heap.slice(WARM_UP), baseline, left, unhandled, warnings, statuses });
