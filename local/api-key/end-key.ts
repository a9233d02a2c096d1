import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type ApiKeyTable, getKey, type StoredKey } from './store.ts';

type End = { keyHash: string; attribute: 'revokedAt' | 'expiresAt'; value: number; condition: string };

/** Sets one attribute of a key that is there and not revoked. False when that, or the condition, does not hold. */
const setEnd = async (
  { documents, tableName }: ApiKeyTable,
  { keyHash, attribute, value, condition }: End,
): Promise<boolean> => {
  try {
    await documents.send(
      new UpdateCommand({
        TableName: tableName,
        Key: { keyHash },
        UpdateExpression: `SET #${attribute} = :${attribute}`,
        ConditionExpression: condition,
        ExpressionAttributeNames: {
          '#keyHash': 'keyHash',
          '#revokedAt': 'revokedAt',
          [`#${attribute}`]: attribute,
        },
        ExpressionAttributeValues: { [`:${attribute}`]: value },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

const isLive = 'attribute_exists(#keyHash) AND attribute_not_exists(#revokedAt)';

/** Marks a key as revoked, once. False when it was revoked already, or is gone. */
export const revokeKey = (table: ApiKeyTable, keyHash: string, revokedAt: number): Promise<boolean> =>
  setEnd(table, { keyHash, attribute: 'revokedAt', value: revokedAt, condition: isLive });

/** Lets a key expire, never later than it would have. Gives the key as it is then, undefined when it is gone. */
export const expireKey = async (
  table: ApiKeyTable,
  keyHash: string,
  expiresAt: number,
): Promise<StoredKey | undefined> => {
  const condition = `${isLive} AND (attribute_not_exists(#expiresAt) OR #expiresAt > :expiresAt)`;
  await setEnd(table, { keyHash, attribute: 'expiresAt', value: expiresAt, condition });
  return getKey(table, keyHash);
};
