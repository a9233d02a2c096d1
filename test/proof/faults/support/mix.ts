import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inject } from 'vitest';
import { expectContract } from '#test/support/contract.ts';
import { useEndpoint } from '#test/support/endpoint.ts';
import { apiKeys } from './api-keys.ts';
import { checkHistory } from './check-history.ts';
import type { Problem } from './history.ts';
import type { Instance } from './instances.ts';
import { countStatuses, type Operations, runLoad } from './load.ts';
import { noFaults, seededPlan } from './plan.ts';
import { startFaultProxy } from './proxy.ts';
import { openWorld, type World } from './world.ts';
import { openWriter } from './writer.ts';

type Mix = {
  readonly seed: number;
  /** How many of a hundred calls go wrong. */
  readonly share: number;
  readonly updates: number;
  /** How many of a hundred updates carry If-Match. */
  readonly conditional: number;
  /** The n-th writer's instance; a promise of the suite is broken when what it does is. */
  readonly open: (config: World['config'], n: number) => Instance;
  /** By how much the writers' clocks differ at most. */
  readonly slackMs: number;
};

const WRITERS = 8;
const FILES = 6;
/** Deadlines of 1, 2 and 5 seconds. */
const remainingMs = [1500, 2500, 10_000] as const;

/** How long after its deadline the slowest answer came. */
const worstDelay = (operations: Operations) =>
  Math.max(
    ...[...operations.values()]
      .flat()
      .map(({ began, answered, limitMs }) => answered - began - Math.min(5000, limitMs - 500)),
  );

/** Lets writers work through a storm of faults, waits until the last late one has landed, and judges what is left. */
export const runMix = async ({ seed, share, updates, conditional, open, slackMs }: Mix) => {
  const world = await openWorld(`mix-${share}-${seed}`, FILES);
  const proxy = await startFaultProxy(inject('endpoint'), seededPlan(seed, share));
  try {
    useEndpoint(proxy.endpoint);
    const writers = Array.from({ length: WRITERS }, (_, n) =>
      openWriter({ instance: open(world.config, n), apiKey: apiKeys[n % apiKeys.length] }),
    );
    const started = performance.now();
    const load = { seed, updates, atOnce: 4, conditional, remainingMs };
    const stalls = monitorEventLoopDelay({ resolution: 10 });
    stalls.enable();
    const operations = await runLoad(world.files, writers, load);
    stalls.disable();
    await proxy.settled();
    // Client, proxy and all writers share one thread here: when that stands still, so does every deadline.
    const stallMs = stalls.max / 1e6;
    const seconds = (performance.now() - started) / 1000;
    const problems: readonly Problem[] = checkHistory(await world.histories(operations), {
      slackMs,
      stallMs,
    });

    proxy.follow(noFaults);
    const afterwards = await runLoad(world.files, writers, {
      seed: seed + 1,
      name: 'after ',
      updates: WRITERS,
    });
    for (const { response } of [...afterwards.values()].flat()) expectContract(response);
    const kinds = proxy.injected();
    return {
      problems,
      kinds: [...kinds.keys()],
      statuses: countStatuses(operations),
      afterwards: countStatuses(afterwards),
      figures: {
        calls: proxy.calls().read + proxy.calls().write,
        faults: [...kinds.values()].reduce((sum, count) => sum + count, 0),
        'kinds of fault': kinds.size,
        updates,
        ...countStatuses(operations),
        problems: problems.length,
        'latest answer, ms past its deadline': worstDelay(operations).toFixed(0),
        'longest stall, ms': stallMs.toFixed(0),
        seconds: seconds.toFixed(1),
      },
    };
  } finally {
    await proxy.stop();
  }
};
