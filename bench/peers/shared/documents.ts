import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { storeOn, updateOn } from './operation.ts';

/** The document client as the documentation of the AWS SDK makes it. */
export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** For a write that failed: undefined if there is no such record. */
export const ifNoRecord = (error: unknown): undefined => {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
};

/** A store on the document client. */
export const store = storeOn(
  async (input) => (await documents.send(new GetCommand({ ...input, ConsistentRead: true }))).Item,
  async (input) => (await documents.send(new UpdateCommand(input)).catch(ifNoRecord))?.Attributes,
);

/** The operation on the document client, for a framework. */
export const updateFile = updateOn(store);
