import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { hashApiKey } from '#lib/store/keys.ts';
import { Complaint, reasonOf } from '#local/complaint.ts';
import type { TableNames } from '#local/service/service.ts';
import type { Data } from './data.ts';

type ItemToLoad = { table: string; keyAttribute: string; place: string; item: Record<string, unknown> };

const itemsAtOnce = 16;

/**
 * Stores what is not stored yet; what an earlier run left stays as it is. A plain key is replaced by its hash.
 * Throws a Complaint that names the place of a record the engine does not take.
 */
export const loadData = async (client: DynamoDBClient, tables: TableNames, data: Data): Promise<void> => {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const items = itemsOf(tables, data);
  for (let start = 0; start < items.length; start += itemsAtOnce) {
    await Promise.all(items.slice(start, start + itemsAtOnce).map((item) => putIfNew(documents, item)));
  }
};

const itemsOf = (tables: TableNames, { apiKeys, spaces, files }: Data): ItemToLoad[] => [
  ...apiKeys.map((apiKey, index) => ({
    table: tables.API_KEYS_TABLE,
    keyAttribute: 'keyHash',
    place: `apiKeys[${index}]`,
    item: toApiKeyItem(apiKey),
  })),
  ...spaces.map((item, index) => ({
    table: tables.SPACES_TABLE,
    keyAttribute: 'spaceId',
    place: `spaces[${index}]`,
    item,
  })),
  ...files.map(({ summary, documentKind, ...file }, index) => ({
    table: tables.FILES_TABLE,
    keyAttribute: 'fileId',
    place: `files[${index}]`,
    // Null is how a client sees an attribute that is not stored.
    item: { ...file, summary: summary ?? undefined, documentKind: documentKind ?? undefined },
  })),
];

const toApiKeyItem = ({ key, ...apiKey }: Data['apiKeys'][number]): Record<string, unknown> => {
  const keyHash = hashApiKey(key);
  const createdAt = Math.floor(Date.now() / 1000);
  return { keyId: `key-${keyHash.slice(0, 12)}`, createdAt, ...apiKey, keyHash };
};

const putIfNew = async (
  documents: DynamoDBDocumentClient,
  { table, keyAttribute, place, item }: ItemToLoad,
): Promise<void> => {
  try {
    await documents.send(
      new PutCommand({
        TableName: table,
        Item: item,
        ConditionExpression: 'attribute_not_exists(#key)',
        ExpressionAttributeNames: { '#key': keyAttribute },
      }),
    );
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return;
    throw new Complaint(`${place} could not be stored: ${reasonOf(error)}`, { cause: error });
  }
};
