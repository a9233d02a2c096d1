import type { Readable } from 'node:stream';
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readTogether } from './operation.ts';

/** The SDK's own collector uses a pipe, which keeps memory alive. */
const streamCollector = (response: Readable) =>
  new Promise<Uint8Array>((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.once('error', reject).once('end', () => resolve(Buffer.concat(chunks)));
  });

/** Each option that the SDK would look for in ~/.aws is set. */
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    retryMode: 'standard',
    defaultsMode: 'standard',
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabled: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    authSchemePreference: async () => [],
    requestHandler: { connectionTimeout: 300, requestTimeout: 1_000 },
    streamCollector,
  }),
);

/** The calls of the operation on the document client of the AWS SDK. */
export const calls = {
  readAccess: readTogether((input) => client.send(new BatchGetCommand(input))),
  update: (input: UpdateCommand['input']) =>
    client.send(new UpdateCommand(input)).then(
      ({ Attributes }) => Attributes,
      (error: unknown) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return undefined;
      },
    ),
};
