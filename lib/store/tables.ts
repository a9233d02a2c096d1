import { hash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** What the store needs to call DynamoDB: a client, and the names of the three tables. */
export type Tables = {
  readonly client: DynamoDBDocumentClient;
  readonly apiKeysTable: string;
  readonly spacesTable: string;
  readonly filesTable: string;
};

/** A number beyond a double's precision, in an attribute that we never read, must not make an item unreadable. */
export const unmarshallOptions = { wrapNumbers: Number };

/** Bytes of the longest sort key (AWS, "Quotas in Amazon DynamoDB"); a partition key may be longer. */
const MAX_KEY_BYTES = 1024;

/** Whether an item could exist under this id. If not, the id is unknown without asking. */
export const isStorable = (id: string): boolean =>
  id !== '' && id.isWellFormed() && Buffer.byteLength(id) <= MAX_KEY_BYTES;

/** API keys are stored by their hash alone: hex SHA-256 of the key as sent. */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey, 'hex');
