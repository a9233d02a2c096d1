import dns from 'node:dns';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test, vi } from 'vitest';
import { createDynamoDBClient } from '#lib/runtime/dynamodb-client.ts';
import { connect } from '#test/support/client.ts';
import { brokenReplies, jsonReply, type Reply } from '#test/support/server.ts';

const ok = jsonReply('{}');
const paddedTo = (bytes: number) => jsonReply('{}'.padEnd(bytes));
const endless: Reply = (response) => response.writeHead(200).write('{');
const MiB = 1024 * 1024;

/* What only a socket shows. No timer fires by itself, so the limit for connecting is none of the machine's. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

test('uses a connection again, and reads a response of 8 MiB', async () => {
  const { update, received } = await connect(createDynamoDBClient, ok, paddedTo(8 * MiB));
  await update();
  await update();
  expect(received[1]?.socket).toBe(received[0]?.socket);
});

test.each<[string, Reply, object]>([
  ['has more than 8 MiB', paddedTo(8 * MiB + 1), { code: 'ERR_RESPONSE_TOO_LARGE' }],
  ['is cut off', brokenReplies.cutOff, { code: 'ECONNRESET' }],
  ['does not come', brokenReplies.reset, { code: 'ECONNRESET' }],
])('fails when a response %s', async (_, reply, error) => {
  const { update } = await connect(createDynamoDBClient, reply);
  await expect(update()).rejects.toMatchObject(error);
});

test('ends when it is aborted in the middle of a response', async () => {
  const { client, update } = await connect(createDynamoDBClient, endless);
  const controller = new AbortController();
  const { handle } = client.config.requestHandler;
  vi.spyOn(client.config.requestHandler, 'handle').mockImplementation(async (...request) => {
    const result = await Reflect.apply(handle, client.config.requestHandler, request);
    setImmediate(() => controller.abort());
    return result;
  });
  const { name, code = name } = await update('a', controller.signal).catch((error: unknown) => Object(error));
  // The second one if the body has already begun to arrive.
  expect(['AbortError', 'ECONNRESET']).toContain(code);
});

test('limits the time to connect, but not the time to respond', async () => {
  const slow: Reply = (response, request) => {
    vi.advanceTimersByTime(300);
    return ok(response, request);
  };
  const { update } = await connect(createDynamoDBClient, slow);
  expect(await update()).toMatchObject({ $metadata: { httpStatusCode: 200 } });

  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://table.example');
  // No address is found.
  vi.spyOn(dns, 'lookup').mockImplementationOnce(() => void setImmediate(() => vi.advanceTimersByTime(300)));
  const command = new UpdateCommand({ TableName: 'Files', Key: { spaceId: 's', fileId: 'a' } });
  const { signal: abortSignal } = new AbortController();
  await expect(createDynamoDBClient().send(command, { abortSignal })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});
