import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { storeOn } from './operation.ts';

/** The document client as the documentation of the AWS SDK makes it. */
export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** A store on the document client. */
export const store = storeOn({
  get: async (input) => (await documents.send(new GetCommand({ ...input, ConsistentRead: true }))).Item,
  update: async (input) => {
    try {
      return (await documents.send(new UpdateCommand(input))).Attributes;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  },
});
