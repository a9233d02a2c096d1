import { randomUUID } from 'node:crypto';
import { readConfig } from './config.ts';
import type { FilePatch } from './domain/file-patch.ts';
import type { HandlerDeps } from './http/create-handler.ts';
import { createClient } from './store/client.ts';
import { createRehearseWrite } from './store/rehearse-write.ts';
import { createStore, type Store } from './store/store.ts';

/** Everything impure, in one place, so that a test can hold each piece still. */
export type Deps = HandlerDeps & {
  /** The tables. Opened on first use, so that a setting that is missing is answered and logged like any fault. */
  readonly store: () => Store;
};

/** The real clock, ids, log and tables. */
export const liveDeps = () => {
  let opened: { store: Store; rehearseWrite: ReturnType<typeof createRehearseWrite> } | undefined;
  const { stdout } = process;
  // Without a listener, a stdout that nobody reads would end the process.
  stdout.on('error', () => undefined);
  const now = Date.now;
  const open = () => {
    if (opened === undefined) {
      const deps = { client: createClient(), config: readConfig(process.env), now, random: Math.random };
      opened = { store: createStore(deps), rehearseWrite: createRehearseWrite(deps) };
    }
    return opened;
  };
  return {
    now,
    newId: randomUUID,
    // Not the console: Lambda prefixes its lines.
    log: (line: string) => void stdout.write(`${line}\n`),
    store: () => open().store,
    rehearseWrite: async (patch: FilePatch) => open().rehearseWrite(patch),
  } satisfies Deps & { rehearseWrite: unknown };
};
