import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import { BatchGetCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** Each option that the SDK would look for in ~/.aws is set. */
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    credentials: fromEnv(),
    maxAttempts: 3,
    retryMode: 'standard',
    defaultsMode: 'standard',
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabled: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    authSchemePreference: async () => [],
    requestHandler: { connectionTimeout: 300, requestTimeout: 1_000 },
  }),
);

/** The calls of the operation on the document client of the AWS SDK. */
export const calls = {
  batchGet: (input: BatchGetCommand['input']) => client.send(new BatchGetCommand(input)),
  update: (input: UpdateCommand['input']) =>
    client.send(new UpdateCommand(input)).then(
      ({ Attributes }) => Attributes,
      (error: unknown) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return undefined;
      },
    ),
};
