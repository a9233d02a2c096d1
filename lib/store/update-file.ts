import type { Call } from '#lib/domain/call.ts';
import { Failure } from '#lib/domain/failure.ts';
import { Fault } from '#lib/domain/fault.ts';
import { type FileStamp, type FileView, toFileStamp, toFileView } from '#lib/domain/file.ts';
import type { FilePatch } from '#lib/domain/file-patch.ts';
import { holds, type Precondition } from '#lib/domain/precondition.ts';
import { backOff, backOffMs, refusalWaits, untilAnswered } from './attempts.ts';
import type { StoreDeps } from './deps.ts';
import { isStorable } from './keys.ts';
import { createVersionClock } from './version.ts';
import type { WriteFile } from './write-file.ts';

/** Refusals after which a request gives way to the other writers. */
const MAX_REFUSALS = 20;

type FileUpdate = {
  readonly spaceId: string;
  readonly fileId: string;
  readonly patch: FilePatch;
  readonly precondition: Precondition;
  /** The user on whose behalf the file changes. */
  readonly updatedBy: string;
};
type UpdatedFile = { readonly file: FileView; readonly version: number };

const notFound = (reason: string) => new Failure('file-not-found', { reason });
const unavailable = (reason: string) => new Failure('unavailable', { reason });

/** Why a write whose precondition does not hold is refused. */
const refusalOf = (precondition: Precondition, version: number, mayBeApplied: boolean): Failure => {
  if (precondition.kind === 'unreadable')
    return new Failure('if-match-invalid', { reason: 'If-Match is unreadable' });
  // "Changed by another request" could be untrue: the write may have been applied and then overwritten.
  if (mayBeApplied) return unavailable('If-Match no longer matches after an attempt with unknown outcome');
  return new Failure('file-changed', { reason: 'If-Match does not match', version });
};

/**
 * Changes the fields of a file that the patch names, by one conditional write behind the fence
 * (docs/decisions/001): no attempt of this request, however late it lands, replaces a newer write.
 *
 * @returns the file as this very write left it
 * @throws {Failure} file-not-found, if-match-invalid, file-changed, file-too-large, unavailable
 * @throws {Fault} when the stored record fits neither shape, or the reply is of another item
 */
export const createUpdateFile = (
  writeFile: WriteFile,
  { now, random }: Pick<StoreDeps, 'now' | 'random'>,
) => {
  const nextVersion = createVersionClock(now);

  return async (
    { spaceId, fileId, patch, precondition, updatedBy }: FileUpdate,
    call: Call,
  ): Promise<UpdatedFile> => {
    if (!isStorable(fileId)) throw notFound('file id is one that no table could hold');
    const { requestId, tally } = call;
    const stampOf = (item: unknown): FileStamp => {
      const stamp = toFileStamp(item);
      if (stamp.spaceId === spaceId && stamp.fileId === fileId) return stamp;
      throw new Fault('update: the reply holds a file that was not asked for');
    };

    const unknownBefore = tally.unknown;
    let stored = 0;
    for (let refusals = 0; refusals < MAX_REFUSALS; refusals += 1) {
      const stamp = { version: nextVersion(stored), requestId, updatedBy };
      const write = { spaceId, fileId, patch, stamp, precondition };
      const { applied, item } = await untilAnswered((signal) => writeFile(write, signal), { call, random });
      if (item === undefined) throw notFound('space has no such file');

      const found = stampOf(item);
      if (found.requestId === requestId) return { file: toFileView(item), version: found.version };
      if (applied) throw new Fault('update: the reply is of another write');
      if (!holds(precondition, found.version))
        throw refusalOf(precondition, found.version, tally.unknown > unknownBefore);

      stored = found.version;
      tally.refusals += 1;
      await backOff(backOffMs(refusalWaits, refusals, random), call);
    }
    throw unavailable(`other writers were faster ${MAX_REFUSALS} times`);
  };
};
