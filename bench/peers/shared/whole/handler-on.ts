import { randomUUID } from 'node:crypto';
import { updateFile } from '../../../../handlers/update-file.ts';
import { createHandler } from '../../../../lib/http/create-handler.ts';
import type { Store } from '../../../../lib/store/store.ts';

const deps = {
  now: Date.now,
  newId: randomUUID,
  log: (line: string) => void process.stdout.write(`${line}\n`),
};

/** The whole of our function, on a store of a package's making. */
export const handlerOn = (store: Store) => createHandler(updateFile({ ...deps, store: () => store }), deps);
