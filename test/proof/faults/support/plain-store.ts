import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Config } from '#lib/runtime/deps.ts';
import { uptimeMs } from '#lib/context.ts';
import { ApiError } from '#lib/domain/errors.ts';
import { toFileStamp, toFileView } from '#lib/domain/file.ts';
import { ATTEMPT_TIMEOUT_MS } from '#lib/store/retry.ts';
import { toDocumentClient } from '#lib/runtime/deps.ts';
import { createReadAccess } from '#lib/store/read-access.ts';
import type { Store } from '#lib/runtime/deps.ts';

/**
 * The store as one would write it without the fence: a plain SET that the SDK repeats as it sees fit. The table itself
 * counts the versions, so that they tell the true order of the writes.
 */
export const openPlainStore = (config: Config): Store => {
  const timeouts = {
    connectionTimeout: 300,
    requestTimeout: ATTEMPT_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  };
  const client = toDocumentClient(new DynamoDBClient({ requestHandler: timeouts }));

  const updateFile: Store['updateFile'] = async ({ spaceId, fileId, patch, updatedBy }, call) => {
    const set = { requestId: call.requestId, updatedBy, ...patch };
    const sent = Object.entries(set);
    const kept = sent.filter(([, value]) => value !== null);
    const removed = sent.filter(([, value]) => value === null).map(([name]) => `#${name}`);
    const assignments = kept.map(([name]) => `#${name} = :${name}`).join(', ');
    const command = new UpdateCommand({
      TableName: config.filesTable,
      Key: { spaceId, fileId },
      UpdateExpression: `SET ${assignments} ADD #version :one ${removed.length > 0 ? `REMOVE ${removed}` : ''}`,
      ConditionExpression: 'attribute_exists(#fileId)',
      ExpressionAttributeNames: Object.fromEntries(
        ['fileId', 'version', ...sent.map(([name]) => name)].map((name) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: Object.fromEntries([
        [':one', 1],
        ...kept.map(([name, value]) => [`:${name}`, value]),
      ]),
      ReturnValues: 'ALL_NEW',
    });
    try {
      const { Attributes: item } = await client.send(command, {
        abortSignal: AbortSignal.timeout(Math.max(0, Math.floor(call.deadline - uptimeMs()))),
      });
      return { file: toFileView(item), version: toFileStamp(item).version };
    } catch (cause) {
      const isGone = cause instanceof ConditionalCheckFailedException;
      throw new ApiError(isGone ? 'file-not-found' : 'unavailable', { reason: 'plain SET failed', cause });
    }
  };
  return {
    readAccess: createReadAccess({ client, config, now: Date.now, random: Math.random }),
    updateFile,
  };
};
