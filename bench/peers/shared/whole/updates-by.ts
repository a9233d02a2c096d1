import type { Store } from '../../../../lib/store/store.ts';
import { createUpdateFile } from '../../../../lib/store/update-file.ts';
import type { WriteFile } from '../../../../lib/store/write-file.ts';

/** Our fence around a package's write. */
export const updatesBy = (write: WriteFile): Store['updateFile'] =>
  createUpdateFile(write, { now: Date.now, random: Math.random });
