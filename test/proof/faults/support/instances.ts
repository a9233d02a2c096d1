import { randomUUID } from 'node:crypto';
import { updateFile } from '#handlers/update-file.ts';
import type { Config } from '#lib/runtime/deps.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import { createClient } from '#lib/runtime/deps.ts';
import { createStore, type Store } from '#lib/runtime/deps.ts';
import { createRandom } from '#test/proof/support/random.ts';
import { type Handler, openBundle } from '#test/support/bundle.ts';
import { epochClock } from './clock.ts';

/** A Lambda instance: told where its log goes, it gives its handler. */
export type Instance = (log: (line: string) => void) => Handler;

/** The real handler over a store. */
export const onStore =
  (store: Store): Instance =>
  (log) => {
    const deps = { now: Date.now, newId: randomUUID, log, store: () => store };
    return createHandler(updateFile(deps), deps);
  };

/**
 * An instance of the bundle that is deployed, with a clock of its own. With PROOF_ON=source one of what the bundle is
 * made from, with chance drawn from the seed as well.
 *
 * @param skewMs how far its clock is ahead
 */
export const openInstance = (config: Config, { skewMs = 0, seed = 0 } = {}): Instance => {
  const now = () => Math.floor(epochClock() + skewMs);
  if (process.env['PROOF_ON'] === 'source')
    return onStore(createStore({ client: createClient(), config, now, random: createRandom(seed) }));
  return (log) => openBundle({ config, now, log });
};
