import { Console } from 'node:console';
import { randomUUID } from 'node:crypto';
import { readConfig } from './config.ts';
import type { HandlerDeps } from './http/create-handler.ts';
import { createClient } from './store/client.ts';
import { createStore, type Store } from './store/store.ts';

/** Everything impure, in one place, so that a test can hold each piece still. */
export type Deps = HandlerDeps & {
  /** The tables. Opened on first use, so that a setting that is missing is answered and logged like any fault. */
  readonly store: () => Store;
};

/** The real clock, ids, log and tables. */
export const liveDeps = (): Deps => {
  let store: Store | undefined;
  // Not the global console: Lambda prefixes its lines.
  const out = new Console(process.stdout);
  // Without a listener, a stdout that nobody reads would end the process.
  process.stdout.on('error', () => undefined);
  const now = Date.now;
  return {
    now,
    newId: randomUUID,
    log: (line) => out.log(line),
    store: () => {
      store ??= createStore({
        client: createClient(),
        config: readConfig(process.env),
        now,
        random: Math.random,
      });
      return store;
    },
  };
};
