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

/** The form in which the function looks up a key. No request finds a record under another one. */
const isHash = (keyHash: string) => /^[\da-f]{64}$/.test(keyHash);

/** What the function decides about a key: 401 for an unusable one, because it does not find it, and 500 for an unreadable one. */
const stateOf = (item: unknown, { keyHash, revokedAt, expiresAt }: z.infer<typeof StoredKeySchema>) => {
  if (revokedAt !== undefined) return 'revoked';
  if (!isHash(keyHash)) return 'unusable';
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

const ignoreRejection = (error: unknown): undefined => {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
};

/**
 * What the commands do with the table of API keys. The SDK sends a call again if its response is lost. So a second copy of
 * each write changes nothing.
 */
export const openApiKeys = (documents: DynamoDBDocumentClient, TableName: string) => ({
  /**
   * Creates a key and stores its hash. The plain text exists only in what this returns.
   *
   * @throws {UsageError} that names the key: it may exist, and nobody can know its plain text
   */
  create: async (attributes: Pick<StoredKey, 'tenantId' | 'roles' | 'scope' | 'name' | 'expiresAt'>) => {
    const plainKey = generateKey();
    const ids = { keyHash: hashApiKey(plainKey), keyId: `key_${randomText(12)}` };
    const Item = { ...ids, ...attributes, createdAt: nowInSeconds() };
    // Nobody else has this hash, so what rejects a write is a copy of it. Without the condition, a late one would undo a
    // revocation.
    const ConditionExpression = 'attribute_not_exists(keyHash)';
    const put = new PutCommand({ TableName, Item, ConditionExpression });
    await documents
      .send(put)
      .catch(ignoreRejection)
      .catch((cause: unknown) => {
        const advice = `If \`list\` shows the new key ${ids.keyId}, revoke it: nobody has it.`;
        throw new UsageError(`The table could not be used: ${reasonOf(cause)}. ${advice}`, { cause });
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

  /** Revokes a key, if it is not revoked. Returns the key as it then is, or undefined if there is none. */
  revoke: async (keyHash: string): Promise<StoredKey | undefined> => {
    const update = new UpdateCommand({
      TableName,
      Key: { keyHash },
      UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
      ConditionExpression: 'attribute_exists(keyHash)',
      ExpressionAttributeValues: { ':now': nowInSeconds() },
      ReturnValues: 'ALL_NEW',
    });
    const updated = await documents.send(update).catch(ignoreRejection);
    return updated && toStoredKey(updated.Attributes);
  },

  /** Lets a key end, unless it is revoked or ends earlier. */
  expire: async (keyHash: string, seconds: number): Promise<void> => {
    const isValid = 'attribute_exists(keyHash) AND attribute_not_exists(revokedAt)';
    const update = new UpdateCommand({
      TableName,
      Key: { keyHash },
      UpdateExpression: 'SET expiresAt = :seconds',
      ConditionExpression: `${isValid} AND (attribute_not_exists(expiresAt) OR expiresAt > :seconds)`,
      ExpressionAttributeValues: { ':seconds': seconds },
    });
    await documents.send(update).catch(ignoreRejection);
  },
});

export type ApiKeys = ReturnType<typeof openApiKeys>;
