import { Readable } from 'node:stream';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { HttpRequest } from '@smithy/core/protocols';
import { expect, vi } from 'vitest';
import { settingsFor } from './processes.ts';

/** The variables of a function in Lambda, with this endpoint or AWS's own. */
export const stubSettings = (endpoint?: string): void => {
  for (const [name, value] of Object.entries(settingsFor(endpoint ?? ''))) vi.stubEnv(name, value);
  if (endpoint === undefined) vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined);
};

/** Sends an update of a file. */
export const updateBy =
  (client: DynamoDBDocumentClient) =>
  (fileId = 'a', abortSignal = new AbortController().signal) =>
    client.send(new UpdateCommand({ TableName: 'Files', Key: { spaceId: 's', fileId } }), { abortSignal });

/** A client without sockets. Its calls get what `respond` makes of a request: the body of a response with status 200. */
export const withoutSockets = (
  createClient: () => DynamoDBDocumentClient,
  respond: (request: HttpRequest) => Readable | string,
) => {
  stubSettings();
  const client = createClient();
  const handle = vi.spyOn(client.config.requestHandler, 'handle').mockImplementation(async (request) => {
    const body = respond(request);
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    const response = {
      statusCode: 200,
      headers,
      body: body instanceof Readable ? body : Readable.from([Buffer.from(body)]),
    };
    return { response };
  });
  return { client, update: updateBy(client), handle };
};

/** What a client would send for an update. */
export const requestOf = async (client: DynamoDBDocumentClient): Promise<HttpRequest> => {
  const handle = vi.spyOn(client.config.requestHandler, 'handle').mockRejectedValue(new Error('not sent'));
  await expect(updateBy(client)('é')).rejects.toThrow('not sent');
  return handle.mock.lastCall?.[0];
};
