import type { Config } from '#lib/config.ts';
import { createClient } from '#lib/store/client.ts';
import { createStore, type Store } from '#lib/store/store.ts';
import { createRandom } from '#test/proof/support/random.ts';
import { epochClock } from './clock.ts';

/**
 * The store as a Lambda instance has it: a client, a clock and chance of its own.
 *
 * @param skewMs how far its clock is ahead
 */
export const openStore = (
  config: Config,
  {
    skewMs = 0,
    seed = 0,
    client = createClient(),
  }: { skewMs?: number; seed?: number; client?: ReturnType<typeof createClient> } = {},
): Store =>
  createStore({ client, config, now: () => Math.floor(epochClock() + skewMs), random: createRandom(seed) });
