import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { toFileIdentity, toFileView, type UpdatedFile } from '#lib/domain/file.ts';
import type { FilePatch, FileUpdate } from '#lib/domain/file-patch.ts';
import type { RequestContext } from '#lib/request-context.ts';
import type { System } from '#lib/system.ts';
import { createReadAccess } from './read-access.ts';
import { mayBeForgotten, readRecentWrites, toRequestMark } from './recent-writes.ts';
import { conflictBackoff, createRetry, IncompleteResponseError, type Retry } from './retry.ts';
import { isStorableId } from './storable-id.ts';
import { type Tables, unmarshallOptions } from './tables.ts';
import { type FileWrite, updateExpression } from './update-expression.ts';

/** Conflicts with other writers after which a request gives up. */
const MAX_CONFLICTS = 20;
/** A stored version ahead of the clock by more than this, in milliseconds, is reported in the log. */
const MAX_VERSION_AHEAD_MS = 60_000;
/** The largest stored version above which there is one more that a double holds exactly: 2^53 - 2. */
const MAX_STORED_VERSION = Number.MAX_SAFE_INTEGER - 1;

/** What DynamoDB says to a conditional write. Rejected: with the item as it is, or none if there is no such item. */
type WriteResult = {
  readonly kind: 'applied' | 'rejected' | 'too-large';
  readonly item?: Readonly<Record<string, unknown>> | undefined;
};

/** DynamoDB has no error code of its own for an item above 400 KB, only the text of a ValidationException. */
const isItemTooLarge = (error: unknown) =>
  error instanceof DynamoDBServiceException &&
  error.name === 'ValidationException' &&
  /item size/i.test(error.message);

/** Sends one conditional write, once. Throws IncompleteResponseError for a success without the item. */
const createWriteFile =
  ({ client, filesTable }: Tables) =>
  async (
    { spaceId, fileId, ...write }: FileWrite & Pick<FileUpdate, 'spaceId' | 'fileId'>,
    abortSignal: AbortSignal,
  ): Promise<WriteResult> => {
    const input = {
      TableName: filesTable,
      // Two plain attributes, never a joined string: no id can collide with another (docs/decisions/004).
      Key: { spaceId, fileId },
      ...updateExpression(write),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } satisfies UpdateCommandInput;
    try {
      const { Attributes: item } = await client.send(new UpdateCommand(input), { abortSignal });
      if (!item) throw new IncompleteResponseError('UpdateItem without Attributes');
      return { kind: 'applied', item };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException)
        return { kind: 'rejected', item: error.Item && unmarshall(error.Item, unmarshallOptions) };
      if (isItemTooLarge(error)) return { kind: 'too-large' };
      throw error;
    }
  };

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
 * The version of a write: the time in microseconds, or one more than the stored version if that is higher.
 *
 * @param storedVersion 0 if it is not known
 * @throws {InternalError} naming the attribute, when the stored version is so large that none can follow
 */
const nextVersion = (storedVersion: number, now: System['now']): number => {
  if (storedVersion > MAX_STORED_VERSION)
    throw new InternalError('file record does not fit: version: too_big');
  return Math.max(now() * 1000, storedVersion + 1);
};

const notFound = (reason: string) => new ApiError('file-not-found', { reason });
const unavailable = (reason: string, cause?: unknown) => new ApiError('unavailable', { reason, cause });

/**
 * Changes the fields of a file that the patch names, by one conditional write. A request takes effect at most once,
 * between its start and its response (docs/decisions/001).
 *
 * @returns the file as this write left it; if an earlier attempt was applied, as it stands now
 * @throws {ApiError} file-not-found, file-changed, idempotency-key-reused, file-too-large: the request never takes effect
 * @throws {ApiError} unavailable: the effect is unknown
 * @throws {InternalError} when the stored record does not fit: its ids, its shape, its version, or the entry of this request;
 * or when the response is of another file or of another write
 */
const createUpdateFile = (tables: Tables, { retry, wait }: Retry, now: System['now']) => {
  const writeFile = createWriteFile(tables);

  return async (update: FileUpdate, context: RequestContext): Promise<UpdatedFile> => {
    const { spaceId, fileId, precondition } = update;
    const { requestId, logFields } = context;
    logFields.call = 'update';
    const mark = toRequestMark(update, requestId);
    if (!isStorableId(fileId)) throw notFound('file id is one that no table could hold');

    let foundVersion = 0;
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      const version = nextVersion(foundVersion, now);
      const write = { ...update, mark, version };
      const { result, outcomeUnknown } = await retry((signal) => writeFile(write, signal), context);

      const { kind, item } = result;
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

      // From here on, rows 1 to 7 are those of docs/decisions/001, "What a rejected write means". The first that fits applies.
      const mayHaveBeenApplied = !isSameRequest && mayBeForgotten(recentWrites, version);
      // Rows 1 and 3. An earlier attempt may have been applied, or may still be.
      // Then we may neither send again nor claim a 4xx.
      if (outcomeUnknown && (mayHaveBeenApplied || mayStillArrive(found, write)))
        throw unavailable('rejected after an attempt with unknown outcome', outcomeUnknown);
      // Row 2, or this attempt was applied.
      if (found && isSameRequest)
        return { file: toFileView(item), version: found.version, replayed: kind === 'rejected' };
      // Row 4.
      if (remembered)
        throw new ApiError('idempotency-key-reused', { reason: 'key was used with another body' });
      // In no row, because DynamoDB then returns no item.
      if (kind === 'too-large') throw new ApiError('file-too-large', { reason: 'item would exceed 400 KB' });
      // Row 5.
      if (!found) throw notFound('space has no such file');
      // Row 6.
      if (precondition?.includes(found.version) === false)
        throw new ApiError('file-changed', { reason: 'If-Match does not match', version: found.version });

      // Row 7. Another writer was faster, or this clock is behind.
      foundVersion = found.version;
      const aheadMs = Math.round(foundVersion / 1000 - now());
      if (aheadMs > MAX_VERSION_AHEAD_MS) logFields.versionAheadMs = aheadMs;
      logFields.conflicts += 1;
      await wait(conflictBackoff, conflicts, context);
    }
    throw unavailable(`other writers were faster ${MAX_CONFLICTS} times`);
  };
};

const placeholderWrite = {
  spaceId: '-',
  fileId: '-',
  userId: '-',
  mark: { id: '-', payloadHash: '' },
  version: 0,
  precondition: [],
} as const;

/**
 * Prepares a write without sending it: built and signed, but aborted before it leaves. If it were ever sent, no item
 * would meet its condition.
 *
 * @throws the abort, always
 */
const createDryRunWrite = (tables: Tables) => {
  const writeFile = createWriteFile(tables);
  return async (patch: FilePatch): Promise<void> => {
    await writeFile({ ...placeholderWrite, patch }, AbortSignal.abort());
  };
};

/** The calls of the operation, one read that decides access and one conditional write, on one retry budget. */
export const createUpdateStore = (tables: Tables, system: System) => {
  const retry = createRetry(system);
  return {
    readAccess: createReadAccess(tables, retry),
    updateFile: createUpdateFile(tables, retry, system.now),
    dryRunWrite: createDryRunWrite(tables),
  };
};
