import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
  type ScanCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';

const StoredKeySchema = z.object({
  keyHash: z.string(),
  keyId: z.string(),
  name: z.string().optional(),
  roles: z.array(z.string()),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  revokedAt: z.number().optional(),
});

/** A key as the table holds it; times in epoch seconds. */
export type StoredKey = z.infer<typeof StoredKeySchema>;

/** The API keys table and a client that reaches it. */
export type ApiKeyTable = { documents: DynamoDBDocumentClient; tableName: string };

/** Stores a key that is not there yet. */
export const putKey = async (
  { documents, tableName }: ApiKeyTable,
  key: StoredKey & { tenantId: string; scope: string },
): Promise<void> => {
  await documents.send(
    new PutCommand({
      TableName: tableName,
      Item: key,
      ConditionExpression: 'attribute_not_exists(#keyHash)',
      ExpressionAttributeNames: { '#keyHash': 'keyHash' },
    }),
  );
};

/** All keys whose attribute has the value, oldest first. */
export const findKeys = async (
  { documents, tableName }: ApiKeyTable,
  attribute: 'tenantId' | 'keyId',
  value: string,
): Promise<StoredKey[]> => {
  // Reads the whole table: nobody but an operator asks, now and then, and an index would cost every write.
  const input: ScanCommandInput = {
    TableName: tableName,
    ConsistentRead: true,
    FilterExpression: '#attribute = :value',
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: { ':value': value },
  };
  const keys: StoredKey[] = [];
  for await (const { Items = [] } of paginateScan({ client: documents }, input)) {
    keys.push(...Items.map((item) => StoredKeySchema.parse(item)));
  }
  return keys.sort((one, other) => one.createdAt - other.createdAt || (one.keyId < other.keyId ? -1 : 1));
};

/** Marks a key as revoked, once. False when it was revoked already, or is gone. */
export const revokeKey = async (
  { documents, tableName }: ApiKeyTable,
  keyHash: string,
  revokedAt: number,
): Promise<boolean> => {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: tableName,
        Key: { keyHash },
        UpdateExpression: 'SET #revokedAt = :revokedAt',
        ConditionExpression: 'attribute_exists(#keyHash) AND attribute_not_exists(#revokedAt)',
        ExpressionAttributeNames: { '#keyHash': 'keyHash', '#revokedAt': 'revokedAt' },
        ExpressionAttributeValues: { ':revokedAt': revokedAt },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};
