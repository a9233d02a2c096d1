import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { collectStream } from '#lib/sdk/collect-stream.ts';

/** From the first packet to a connection that stands. */
const CONNECTION_TIMEOUT_MS = 300;

/** A number beyond a double's precision, in an attribute we never look at, must not make a file unreadable. */
export const unmarshallOptions = { wrapNumbers: Number };

/** Plain values instead of DynamoDB's own. The options are copied because lib-dynamodb writes into them. */
export const toDocumentClient = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, { unmarshallOptions: { ...unmarshallOptions } });

/**
 * One attempt per call, without a limit of its own: repeating and limiting is lib/store/attempts.ts. What is said
 * here is not looked for in ~/.aws; the endpoint is AWS_ENDPOINT_URL_DYNAMODB's to change.
 */
export const clientOptions = {
  maxAttempts: 1,
  retryMode: 'standard',
  defaultsMode: 'standard',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  accountIdEndpointMode: 'disabled',
  endpointDiscoveryEnabled: false,
  userAgentAppId: async () => undefined,
  authSchemePreference: async () => [],
  requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS },
  streamCollector: collectStream,
} satisfies DynamoDBClientConfig;

const passOn = <Handler>(next: Handler): Handler => next;

/**
 * The client for the endpoint, Region and credentials of the environment. It neither logs, for which the SDK would copy
 * each input and output, nor repeats a call (docs/decisions/012).
 */
export const createClient = (): DynamoDBDocumentClient => {
  const client = new DynamoDBClient(clientOptions);
  client.middlewareStack.remove('loggerMiddleware');
  // Others stand before or after it: its place must stay.
  const place = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high' } as const;
  client.middlewareStack.add(passOn, { ...place, override: true });
  return toDocumentClient(client);
};
