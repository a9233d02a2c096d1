import { BatchGetCommand, type BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import { type ApiKeyRecord, ApiKeyRecordSchema } from '#lib/domain/api-key.ts';
import type { Call } from '#lib/domain/call.ts';
import { Fault } from '#lib/domain/fault.ts';
import { parseIfFound } from '#lib/domain/record.ts';
import { type SpaceRecord, SpaceRecordSchema } from '#lib/domain/space.ts';
import { untilAnswered } from './attempts.ts';
import type { StoreDeps } from './deps.ts';
import { hashApiKey, isStorable, spaceKey } from './keys.ts';
import { GarbledReply } from './repeatable.ts';

type AccessQuery = { readonly apiKey: string; readonly tenantId: string; readonly spaceId: string };
type Access = { readonly apiKey: ApiKeyRecord | undefined; readonly space: SpaceRecord | undefined };

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

const expectAskedFor = (asked: boolean) => {
  if (!asked) throw new Fault('access read: the reply holds a record that was not asked for');
};

/**
 * Reads what decides access, the key and the space, in one call that is never cached.
 *
 * @returns what exists of the two; a space id that no table could hold is not asked for
 * @throws {Failure} unavailable, when the deadline passes
 * @throws {Fault} when a record does not fit or was not asked for
 */
export const createReadAccess =
  ({ client, config, random }: StoreDeps) =>
  async ({ apiKey, tenantId, spaceId }: AccessQuery, call: Call): Promise<Access> => {
    const keyHash = hashApiKey(apiKey);
    let pending: NonNullable<BatchGetCommandInput['RequestItems']> = {
      [config.apiKeysTable]: { Keys: [{ keyHash }], ...apiKeyRead },
    };
    if (isStorable(spaceId))
      pending[config.spacesTable] = { Keys: [spaceKey({ tenantId, spaceId })], ...spaceRead };

    const found = new Map<string, unknown>();
    const readPending = async (abortSignal: AbortSignal) => {
      const reply = await client.send(new BatchGetCommand({ RequestItems: pending }), { abortSignal });
      if (!reply.Responses) throw new GarbledReply('BatchGetItem without Responses');
      for (const [table, [record]] of Object.entries(reply.Responses)) if (record) found.set(table, record);
      pending = reply.UnprocessedKeys ?? {};
      if (Object.keys(pending).length > 0) throw new GarbledReply('BatchGetItem with UnprocessedKeys');
    };
    await untilAnswered(readPending, { call, random });

    const access: Access = {
      apiKey: parseIfFound(ApiKeyRecordSchema, 'API key record', found.get(config.apiKeysTable)),
      space: parseIfFound(SpaceRecordSchema, 'space record', found.get(config.spacesTable)),
    };
    if (access.apiKey) expectAskedFor(access.apiKey.keyHash === keyHash);
    if (access.space) expectAskedFor(access.space.tenantId === tenantId && access.space.spaceId === spaceId);
    return access;
  };
