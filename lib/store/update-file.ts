import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ApiError, InternalError, unavailable } from '#lib/domain/errors.ts';
import type { UpdatedFile } from '#lib/domain/file.ts';
import type { FileUpdate } from '#lib/domain/file-patch.ts';
import type { RequestContext } from '#lib/request-context.ts';
import type { System } from '#lib/system.ts';
import { decide, type KeyedWrite, type WriteResult } from './decide.ts';
import { createReadAccess } from './read-access.ts';
import { toRequestMark } from './recent-writes.ts';
import { conflictBackoff, createRetry, IncompleteResponseError } from './retry.ts';
import { isStorableId } from './storable-id.ts';
import { type Tables, unmarshallOptions } from './tables.ts';
import { updateExpression } from './update-expression.ts';

/** Conflicts with other writers after which a request gives up. */
export const MAX_CONFLICTS = 20;
/** A stored version ahead of the clock by more than this, in milliseconds, is reported in the log. */
export const MAX_VERSION_AHEAD_MS = 60_000;
/** The largest stored version that another one can follow, because a double holds both exactly: 2^53 - 2. */
const MAX_STORED_VERSION = Number.MAX_SAFE_INTEGER - 1;

/** DynamoDB has no error code of its own for an item above 400 KB, only the text of a ValidationException. */
const isItemTooLarge = (error: unknown) =>
  error instanceof DynamoDBServiceException &&
  error.name === 'ValidationException' &&
  /item size/i.test(error.message);

/** Sends one conditional write, once. Throws IncompleteResponseError for a success without the item. */
const writeFile = async (
  { client, filesTable }: Tables,
  { spaceId, fileId, ...write }: KeyedWrite,
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

/** The calls of one instance, a read that decides access and a conditional write, on one retry budget. */
export const createStore = (tables: Tables, system: System) => {
  const { now } = system;
  const { retry, wait } = createRetry(system);

  /**
   * Changes the fields of a file that the patch names, by one conditional write. A request takes effect at most once,
   * between its start and its response (docs/decisions/001).
   *
   * @returns the file as this write left it; if an earlier attempt was applied, as it stands now
   * @throws {ApiError} file-not-found, file-changed, idempotency-key-reused, file-too-large: the request never takes effect
   * @throws {ApiError} unavailable: the effect is unknown
   * @throws {InternalError} when the stored record does not fit: its ids, its shape, its version, or the entry of this
   * request; or when the response is of another file or of another write
   */
  const updateFile = async (update: FileUpdate, context: RequestContext): Promise<UpdatedFile> => {
    const { requestId, logFields } = context;
    logFields.call = 'update';
    const mark = toRequestMark(update, requestId);
    if (!isStorableId(update.fileId))
      throw new ApiError('file-not-found', { reason: 'file id is one that no table could hold' });

    let foundVersion = 0;
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts += 1) {
      if (conflicts > 0) await wait(conflictBackoff, conflicts - 1, context);
      const version = nextVersion(foundVersion, now);
      const write = { ...update, mark, version };
      const { result, outcomeUnknown } = await retry((signal) => writeFile(tables, write, signal), context);
      const decision = decide(result, write, outcomeUnknown);
      if (decision.kind === 'respond') return decision.updatedFile;

      foundVersion = decision.storedVersion;
      const aheadMs = Math.round(foundVersion / 1000 - now());
      if (aheadMs > MAX_VERSION_AHEAD_MS) logFields.versionAheadMs = aheadMs;
      logFields.conflicts += 1;
    }
    throw unavailable('other writers were faster each time');
  };

  return { readAccess: createReadAccess(tables, retry), updateFile };
};
export type Store = ReturnType<typeof createStore>;
