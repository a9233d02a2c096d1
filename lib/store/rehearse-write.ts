import type { FilePatch } from '#lib/domain/file-patch.ts';
import type { StoreDeps } from './deps.ts';
import { createWriteFile } from './write-file.ts';

const nobodys = {
  spaceId: '-',
  fileId: '-',
  stamp: { version: 0, requestId: '-', updatedBy: '-' },
  precondition: { kind: 'unreadable' },
} as const;

/**
 * Goes the way of a write up to the door and no further: built and signed, but aborted before it is sent. Were it
 * ever sent, its condition is one that no item meets.
 *
 * @throws the abort, always
 */
export const createRehearseWrite = (deps: StoreDeps) => {
  const writeFile = createWriteFile(deps);
  return async (patch: FilePatch): Promise<void> => {
    await writeFile({ ...nobodys, patch }, AbortSignal.abort());
  };
};
