import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The documents client as the SDK's own documentation makes it. */
export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
