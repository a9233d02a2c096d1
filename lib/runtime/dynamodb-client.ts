import type { IncomingMessage } from 'node:http';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshallOptions } from '#lib/store/tables.ts';
import { CONNECTION_TIMEOUT_MS } from '#lib/times.ts';
import { makeCallsCheap, Sha256 } from './cheap-calls.ts';

/** The longest response body that is read, in bytes. Two items of 400 KB take less, whatever they hold. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

const tooLarge = () =>
  Object.assign(new Error(`response of more than ${MAX_RESPONSE_BYTES} bytes`), {
    code: 'ERR_RESPONSE_TOO_LARGE',
  });

/**
 * Reads a response to its end. The SDK's own collector pipes it into a second stream, for which the process needs much
 * more memory.
 *
 * @throws what the connection threw when it broke off, or an error for a response above MAX_RESPONSE_BYTES
 */
const streamCollector = (response: IncomingMessage): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    response.on('data', (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) response.destroy(tooLarge());
      else chunks.push(chunk);
    });
    response.once('error', reject);
    response.once('end', () => resolve(Buffer.concat(chunks)));
  });

/**
 * One attempt per call, without a limit of its own: lib/store/retry.ts repeats and limits. The SDK does not look in ~/.aws
 * for an option that is set here.
 */
export const clientOptions = {
  maxAttempts: 1,
  retryMode: 'standard',
  defaultsMode: 'standard',
  accountIdEndpointMode: 'disabled',
  endpointDiscoveryEnabled: false,
  authSchemePreference: async () => [],
  requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS },
  streamCollector,
  sha256: Sha256,
} satisfies DynamoDBClientConfig;

/** Plain values instead of DynamoDB's own. The options are copied because lib-dynamodb writes into them. */
export const toDocumentClient = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, { unmarshallOptions: { ...unmarshallOptions } });

/**
 * The client for the endpoint, Region and credentials of the environment.
 *
 * @param options what differs from `clientOptions`
 */
export const createDynamoDBClient = (options: DynamoDBClientConfig = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({
    ...clientOptions,
    useDualstackEndpoint: process.env['AWS_USE_DUALSTACK_ENDPOINT'] === 'true',
    useFipsEndpoint: process.env['AWS_USE_FIPS_ENDPOINT'] === 'true',
    ...options,
  });
  return makeCallsCheap(toDocumentClient(client));
};
