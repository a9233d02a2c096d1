import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Complaint } from '../complaint.ts';

const StoredKeySchema = z.object({
  keyHash: z.string(),
  keyId: z.string(),
  tenantId: z.string(),
  scope: z.string(),
  roles: z.array(z.string()),
  name: z.string().optional(),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  /** Present in any form: revoked. */
  revokedAt: z.unknown().optional(),
});

/** A key as the table holds it; times in epoch seconds. */
export type StoredKey = z.infer<typeof StoredKeySchema>;

/** The API keys table and a client that reaches it. */
export type ApiKeyTable = { documents: DynamoDBDocumentClient; tableName: string };

/** Stores a key that is not there yet. */
export const putKey = async ({ documents, tableName }: ApiKeyTable, key: StoredKey): Promise<void> => {
  await documents.send(
    new PutCommand({
      TableName: tableName,
      Item: key,
      ConditionExpression: 'attribute_not_exists(#keyHash)',
      ExpressionAttributeNames: { '#keyHash': 'keyHash' },
    }),
  );
};

/** The key with a hash, if there is one. */
export const getKey = async (
  { documents, tableName }: ApiKeyTable,
  keyHash: string,
): Promise<StoredKey | undefined> => {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName, Key: { keyHash }, ConsistentRead: true }),
  );
  return Item && StoredKeySchema.parse(Item);
};

/** All keys, or those whose attribute has the value, oldest first. */
export const findKeys = async (
  { documents, tableName }: ApiKeyTable,
  wanted?: { attribute: 'tenantId' | 'keyId'; value: string },
): Promise<StoredKey[]> => {
  // Reads the whole table: nobody but an operator asks, now and then, and an index would cost every write.
  const input: ScanCommandInput = {
    TableName: tableName,
    ConsistentRead: true,
    ...(wanted && {
      FilterExpression: '#attribute = :value',
      ExpressionAttributeNames: { '#attribute': wanted.attribute },
      ExpressionAttributeValues: { ':value': wanted.value },
    }),
  };
  const keys: StoredKey[] = [];
  for await (const { Items = [] } of paginateScan({ client: documents }, input)) {
    keys.push(...Items.map((item) => StoredKeySchema.parse(item)));
  }
  return keys.sort((one, other) => one.createdAt - other.createdAt || (one.keyId < other.keyId ? -1 : 1));
};

/** The keys with an id: one, unless somebody else than us wrote them. Throws a Complaint when there is none. */
export const expectKeys = async (table: ApiKeyTable, keyId: string): Promise<[StoredKey, ...StoredKey[]]> => {
  const [first, ...more] = await findKeys(table, { attribute: 'keyId', value: keyId });
  if (first === undefined) throw new Complaint(`There is no API key with the id ${keyId}.`);
  return [first, ...more];
};
