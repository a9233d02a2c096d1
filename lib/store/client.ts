import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ATTEMPT_TIMEOUT_MS } from './attempts.ts';

const CONNECTION_TIMEOUT_MS = 300;

/** A number beyond a double's precision, in an attribute we never look at, must not make a file unreadable. */
export const unmarshallOptions = { wrapNumbers: Number };

/** Plain values instead of DynamoDB's own. The options are copied because lib-dynamodb writes into them. */
export const toDocumentClient = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, { unmarshallOptions: { ...unmarshallOptions } });

/** One attempt per call: repeating is lib/store/attempts.ts. The SDK's own limits are none at all by default. */
export const clientOptions = {
  maxAttempts: 1,
  requestHandler: {
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: ATTEMPT_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  },
};

/** The client for the endpoint, Region and credentials of the environment. */
export const createClient = (): DynamoDBDocumentClient => toDocumentClient(new DynamoDBClient(clientOptions));
