import { ApiError, InternalError, unavailable } from '#lib/domain/errors.ts';
import { toFileIdentity, toFileView, type UpdatedFile } from '#lib/domain/file.ts';
import type { FileUpdate } from '#lib/domain/file-patch.ts';
import { mayBeForgotten, readRecentWrites } from './recent-writes.ts';
import type { FileWrite } from './update-expression.ts';

/** One conditional write, and the key of its file. */
export type KeyedWrite = FileWrite & Pick<FileUpdate, 'spaceId' | 'fileId'>;

/** The attributes of a stored file. */
type Item = Readonly<Record<string, unknown>>;

/** How DynamoDB responds to a conditional write. A rejection has the item as it is, or none if there is no such item. */
export type WriteResult =
  | { readonly kind: 'applied'; readonly item: Item }
  | { readonly kind: 'rejected'; readonly item: Item | undefined }
  | { readonly kind: 'too-large'; readonly item?: undefined };

/** What a request does next: it responds, or it writes again with a version above the stored one. */
export type Decision =
  | { readonly kind: 'respond'; readonly updatedFile: UpdatedFile }
  | { readonly kind: 'write-again'; readonly storedVersion: number };

/**
 * Whether an attempt could still be applied to the file that was found, whenever it arrives. DynamoDB rejects it once the
 * file has the version of the attempt or a higher one, or a version above each one that If-Match lists, because the
 * version of a file only rises.
 */
const mayStillArrive = (
  found: { readonly version: number } | undefined,
  { version, precondition }: Pick<FileWrite, 'version' | 'precondition'>,
): boolean =>
  found !== undefined &&
  found.version < version &&
  precondition?.some((listed) => listed >= found.version) !== false;

/**
 * What a result shows: the stored file, the writes that it remembers, and whether this request is among them.
 *
 * @throws {InternalError} when the record does not fit, or the result is of another file or of another write
 */
const readResult = ({ kind, item }: WriteResult, { spaceId, fileId, mark }: KeyedWrite) => {
  const found = item && toFileIdentity(item);
  if (found && (found.spaceId !== spaceId || found.fileId !== fileId))
    throw new InternalError('update: the response holds a file that was not requested');
  const recentWrites = readRecentWrites(item ?? {});
  const remembered = recentWrites.find(({ id }) => id === mark.id);
  const isSameRequest = remembered?.payloadHash === mark.payloadHash;
  if (kind === 'applied' && !isSameRequest)
    throw new InternalError('update: the response is of another write');
  if (remembered && remembered.version === undefined)
    throw new InternalError('file record does not fit: the entry of this request');
  return { found, recentWrites, remembered, isSameRequest };
};

/**
 * Decides what the result of a conditional write means for its request. A pure function: row by row the table of
 * docs/decisions/001, "What a rejected write means". The first row that fits applies.
 *
 * @param outcomeUnknown the error of an earlier attempt of this write that may have been applied, or may still be;
 * undefined if the outcome of each earlier attempt is known
 * @throws {ApiError} file-not-found, file-changed, idempotency-key-reused, file-too-large: the request never takes effect
 * @throws {ApiError} unavailable: the effect is unknown
 * @throws {InternalError} when the record does not fit, or the result is of another file or of another write
 */
export const decide = (
  result: WriteResult,
  write: KeyedWrite,
  outcomeUnknown: Error | undefined,
): Decision => {
  const { kind, item } = result;
  const { found, recentWrites, remembered, isSameRequest } = readResult(result, write);
  // The two questions of the decision. Without an attempt of unknown outcome, the answer to both is no.
  const isUnknown = outcomeUnknown !== undefined;
  const canStillArrive = isUnknown && mayStillArrive(found, write);
  const canBeForgotten = isUnknown && mayBeForgotten(recentWrites, write.version);
  const effectUnknown = () => unavailable('rejected after an attempt with unknown outcome', outcomeUnknown);

  // Row 1.
  if (isSameRequest && canStillArrive) throw effectUnknown();
  // Row 2, or this attempt was applied.
  if (found && isSameRequest) {
    const updatedFile = { file: toFileView(item), version: found.version, replayed: kind === 'rejected' };
    return { kind: 'respond', updatedFile };
  }
  // Row 3.
  if (canStillArrive || canBeForgotten) throw effectUnknown();
  // Row 4.
  if (remembered) throw new ApiError('idempotency-key-reused', { reason: 'key was used with another body' });
  // In no row, because DynamoDB then returns no item.
  if (kind === 'too-large') throw new ApiError('file-too-large', { reason: 'item would exceed 400 KB' });
  // Row 5.
  if (!found) throw new ApiError('file-not-found', { reason: 'space has no such file' });
  // Row 6.
  if (write.precondition?.includes(found.version) === false)
    throw new ApiError('file-changed', { reason: 'If-Match does not match', version: found.version });
  // Row 7. Another writer was faster, or this clock is behind.
  return { kind: 'write-again', storedVersion: found.version };
};
