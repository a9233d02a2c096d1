import type { StoreDeps } from './deps.ts';
import { createReadAccess } from './read-access.ts';
import { createUpdateFile } from './update-file.ts';
import { createWriteFile } from './write-file.ts';

/** The two calls of the operation: one read that decides access, one conditional write. */
export const createStore = (deps: StoreDeps) => ({
  readAccess: createReadAccess(deps),
  updateFile: createUpdateFile(createWriteFile(deps), deps),
});
export type Store = ReturnType<typeof createStore>;
