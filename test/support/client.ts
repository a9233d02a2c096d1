import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { HttpRequest } from '@smithy/core/protocols';
import { expect, onTestFinished, vi } from 'vitest';
import { settingsFor } from './processes.ts';
import { type Reply, startServer } from './server.ts';

/** The variables of a function in Lambda, with this endpoint or AWS's own. */
export const stubSettings = (endpoint?: string): void => {
  for (const [name, value] of Object.entries(settingsFor(endpoint ?? ''))) vi.stubEnv(name, value);
  if (endpoint === undefined) vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined);
};

/** A client whose calls get these replies. */
export const connect = async (createClient: () => DynamoDBDocumentClient, ...replies: readonly Reply[]) => {
  const { endpoint, received } = await startServer(...replies);
  stubSettings(endpoint);
  const client = createClient();
  onTestFinished(() => client.config.requestHandler.destroy?.());
  const update = (fileId = 'a', abortSignal = new AbortController().signal) =>
    client.send(new UpdateCommand({ TableName: 'Files', Key: { spaceId: 's', fileId } }), { abortSignal });
  return { client, update, received };
};

/** What a client would send for an update. */
export const requestOf = async (client: DynamoDBDocumentClient): Promise<HttpRequest> => {
  const handle = vi.spyOn(client.config.requestHandler, 'handle').mockRejectedValue(new Error('not sent'));
  const update = new UpdateCommand({ TableName: 'Files', Key: { spaceId: 's', fileId: 'é' } });
  const { signal: abortSignal } = new AbortController();
  await expect(client.send(update, { abortSignal })).rejects.toThrow('not sent');
  return handle.mock.lastCall?.[0];
};
