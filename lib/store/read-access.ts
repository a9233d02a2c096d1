import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { ApiKeyRecordSchema, hashApiKey } from '#lib/domain/api-key.ts';
import { InternalError } from '#lib/domain/errors.ts';
import { parseData } from '#lib/domain/parse-data.ts';
import { type Access, type AccessQuery, SpaceRecordSchema } from '#lib/domain/space.ts';
import type { RequestContext } from '#lib/request-context.ts';
import { IncompleteResponseError, type Retry, UnprocessedKeysError } from './retry.ts';
import { isStorableId } from './storable-id.ts';
import type { Tables } from './tables.ts';

/** Strongly consistent, and no more of the item than the schema names. */
const consistentRead = (schema: { readonly shape: object }) => {
  const attributes = Object.keys(schema.shape);
  return {
    ConsistentRead: true,
    ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
  };
};

const apiKeyRead = consistentRead(ApiKeyRecordSchema);
const spaceRead = consistentRead(SpaceRecordSchema);

const notRequested = () =>
  new InternalError('access read: the response holds a record that was not requested');

/**
 * Reads the records that decide access, the key and the space, in one call that is never cached. BatchGetItem is not
 * atomic: each record is as it was at some moment of this request, not both at the same moment (docs/decisions/003).
 *
 * @returns what exists of the two; a space id that no table could hold is not requested
 * @throws {ApiError} unavailable, when the deadline passes or the retry budget is used up
 * @throws {InternalError} when a record does not fit or was not requested
 */
export const createReadAccess =
  ({ client, apiKeysTable, spacesTable }: Tables, retry: Retry) =>
  async ({ apiKey, tenantId, spaceId }: AccessQuery, context: RequestContext): Promise<Access> => {
    context.logFields.call = 'access read';
    const keyHash = hashApiKey(apiKey);
    // Tenant first (docs/decisions/004): a space of another tenant cannot even be named.
    const spaceRequest = { [spacesTable]: { Keys: [{ tenantId, spaceId }], ...spaceRead } };
    const RequestItems = {
      [apiKeysTable]: { Keys: [{ keyHash }], ...apiKeyRead },
      ...(isStorableId(spaceId) && spaceRequest),
    };

    const { result: found } = await retry(async (abortSignal) => {
      const { Responses, UnprocessedKeys = {} } = await client.send(new BatchGetCommand({ RequestItems }), {
        abortSignal,
      });
      if (!Responses) throw new IncompleteResponseError('BatchGetItem without Responses');
      // Both are read again, which is simpler than merging two responses.
      if (Object.keys(UnprocessedKeys).length > 0)
        throw new UnprocessedKeysError('BatchGetItem with UnprocessedKeys');
      return { apiKey: Responses[apiKeysTable]?.[0], space: Responses[spacesTable]?.[0] };
    }, context);

    const access: Access = {
      apiKey: found.apiKey && parseData(ApiKeyRecordSchema, 'API key record', found.apiKey, 'keyId'),
      space: found.space && parseData(SpaceRecordSchema, 'space record', found.space),
    };
    if (access.apiKey && access.apiKey.keyHash !== keyHash) throw notRequested();
    if (access.space && (access.space.tenantId !== tenantId || access.space.spaceId !== spaceId))
      throw notRequested();
    return access;
  };
