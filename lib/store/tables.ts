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
