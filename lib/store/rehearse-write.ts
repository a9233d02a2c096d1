import type { FilePatch } from '#lib/domain/file-patch.ts';
import type { StoreDeps } from './deps.ts';
import { updateInput } from './update-input.ts';
import { writeFile } from './write-file.ts';

const nobody = { spaceId: '-', fileId: '-' };
const stamp = { version: 0, requestId: '-', updatedBy: '-' };

/**
 * Goes the way of a write up to the door and no further: built and signed, but aborted before it is sent. Were it
 * ever sent, its condition is one that no item meets.
 *
 * @throws the abort, always
 */
export const createRehearseWrite =
  ({ client, config }: StoreDeps) =>
  async (patch: FilePatch): Promise<void> => {
    const input = updateInput(config, { ...nobody, expression: [patch, stamp, { kind: 'unreadable' }] });
    await writeFile(client, input, AbortSignal.abort());
  };
