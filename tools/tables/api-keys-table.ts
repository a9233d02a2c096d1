import { randomInt } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { ApiKeyRecordSchema, hashApiKey } from '#lib/domain/api-key.ts';
import { reasonOf, UsageError } from '#tools/cli.ts';
import { isUnapplied } from './tables.ts';

/** Another program may have written the record: an attribute that does not fit must not hide it, or another key. */
const StoredKeySchema = z.object({
  keyHash: z.string(),
  keyId: z.catch(z.optional(z.string()), undefined),
  tenantId: z.catch(z.string(), '-'),
  scope: z.catch(z.string(), '-'),
  roles: z.catch(z.array(z.string()), []),
  name: z.catch(z.optional(z.string()), undefined),
  createdAt: z.catch(z.optional(z.number()), undefined),
  expiresAt: z.catch(z.optional(z.number()), undefined),
  revokedAt: z.optional(z.unknown()),
});

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** What the function decides about a key. It responds 500 to a request with an unreadable one. */
const stateOf = (item: unknown, { revokedAt, expiresAt }: z.infer<typeof StoredKeySchema>) => {
  if (revokedAt !== undefined) return 'revoked';
  if (!ApiKeyRecordSchema.safeParse(item).success) return 'unreadable';
  return expiresAt !== undefined && expiresAt <= nowInSeconds() ? 'expired' : 'active';
};

const toStoredKey = (item: unknown) => {
  const key = StoredKeySchema.parse(item);
  return { ...key, keyId: key.keyId ?? key.keyHash, state: stateOf(item, key) };
};

/** What is shown of a key. All times are in epoch seconds. `keyId` is the hash if the record has none. */
export type StoredKey = ReturnType<typeof toStoredKey>;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** A new API key of 43 random characters, which is 256 bits. Secret scanners recognise it by its prefix. */
export const generateKey = (): string => `sfk_${randomText(43)}`;

const isActive = 'attribute_exists(keyHash) AND attribute_not_exists(revokedAt)';
const endConditions = {
  revokedAt: isActive,
  // Never later than before.
  expiresAt: `${isActive} AND (attribute_not_exists(expiresAt) OR expiresAt > :seconds)`,
};

/** What the commands do with the table of API keys. */
export const openApiKeys = (documents: DynamoDBDocumentClient, TableName: string) => ({
  /**
   * Creates a key and stores its hash. The plain text exists only in what this returns.
   *
   * @throws {UsageError} that names the key if it may exist, because nobody can know its plain text
   */
  create: async (attributes: Pick<StoredKey, 'tenantId' | 'roles' | 'scope' | 'name' | 'expiresAt'>) => {
    const plainKey = generateKey();
    const ids = { keyHash: hashApiKey(plainKey), keyId: `key_${randomText(12)}` };
    const Item = { ...ids, ...attributes, createdAt: nowInSeconds() };
    const ConditionExpression = 'attribute_not_exists(keyHash)';
    await documents.send(new PutCommand({ TableName, Item, ConditionExpression })).catch((error: unknown) => {
      // The SDK has sent it twice, and the first copy was applied: nobody else knows the hash.
      if (error instanceof ConditionalCheckFailedException) return;
      if (isUnapplied(error)) throw error;
      const advice = `If \`list\` shows it, revoke it. Nothing else was changed.`;
      throw new UsageError(
        `${ids.keyId} may have been created, and its plain text is lost: ${reasonOf(error)}. ${advice}`,
      );
    });
    return { plainKey, stored: toStoredKey(Item) };
  },

  get: async (keyHash: string): Promise<StoredKey | undefined> => {
    const get = new GetCommand({ TableName, Key: { keyHash }, ConsistentRead: true });
    const { Item } = await documents.send(get);
    return Item && toStoredKey(Item);
  },

  /** All keys, oldest first. */
  list: async (): Promise<StoredKey[]> => {
    const keys: StoredKey[] = [];
    const pages = paginateScan({ client: documents }, { TableName, ConsistentRead: true });
    for await (const { Items } of pages) keys.push(...(Items ?? []).map(toStoredKey));
    return keys.sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0) || a.keyId.localeCompare(b.keyId));
  },

  /**
   * Revokes a key or sets its expiry. Returns `kept` if the key was revoked, or expired earlier, before this call, and
   * `missing` if there is no such key. If the call was sent again, a key in this state may be its own work: `changed`.
   */
  end: async (
    keyHash: string,
    attribute: keyof typeof endConditions,
    seconds: number,
  ): Promise<'changed' | 'kept' | 'missing'> => {
    const update = new UpdateCommand({
      TableName,
      Key: { keyHash },
      UpdateExpression: `SET ${attribute} = :seconds`,
      ConditionExpression: endConditions[attribute],
      ExpressionAttributeValues: { ':seconds': seconds },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await documents.send(update);
      return 'changed';
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (!error.Item) return 'missing';
      return isUnapplied(error) ? 'kept' : 'changed';
    }
  },
});

export type ApiKeys = ReturnType<typeof openApiKeys>;
