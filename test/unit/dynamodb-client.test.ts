import dns from 'node:dns';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import { clientOptions, createDynamoDBClient as createPlainClient } from '#lib/runtime/dynamodb-client.ts';
import { createDynamoDBClient as createFastClient } from '#lib/runtime/shims/fast-client.ts';
import { connect, requestOf, stubSettings } from '#test/support/client.ts';
import { brokenReplies, jsonReply, type Reply } from '#test/support/server.ts';

const ok = jsonReply('{}');
const paddedTo = (bytes: number) => jsonReply('{}'.padEnd(bytes));
const endless: Reply = (response) => response.writeHead(200).write('{');
const MiB = 1024 * 1024;

test('makes one attempt and limits the time to connect', () => {
  expect(clientOptions).toMatchObject({ maxAttempts: 1, requestHandler: { connectionTimeout: 300 } });
});

describe.each([
  ['the client', createPlainClient],
  ['the shim for the client', createFastClient],
])('%s', (_, createClient) => {
  test.each([
    [{}, 'dynamodb.us-east-1.amazonaws.com'],
    [{ AWS_USE_FIPS_ENDPOINT: 'true' }, 'dynamodb-fips.us-east-1.amazonaws.com'],
    [{ AWS_USE_DUALSTACK_ENDPOINT: 'true' }, 'dynamodb.us-east-1.api.aws'],
    [
      { AWS_USE_FIPS_ENDPOINT: 'false', AWS_USE_DUALSTACK_ENDPOINT: 'false' },
      'dynamodb.us-east-1.amazonaws.com',
    ],
  ])('with %j, calls %s', async (variables, hostname) => {
    stubSettings();
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(await requestOf(createClient())).toMatchObject({ hostname });
  });

  test('gives each of two calls at the same time its own input, response and signal', async () => {
    const aborted = new AbortController();
    const echo: Reply = (response, request) => {
      if (request.body.includes('"b"')) return aborted.abort('late');
      return jsonReply(`{"Attributes":${JSON.stringify(JSON.parse(request.body).Key)}}`)(response, request);
    };
    const { update } = await connect(createClient, echo);
    expect(await Promise.allSettled([update('a'), update('b', aborted.signal), update('c')])).toMatchObject([
      { value: { Attributes: { spaceId: 's', fileId: 'a' } } },
      { reason: { name: 'AbortError' } },
      { value: { Attributes: { spaceId: 's', fileId: 'c' } } },
    ]);
  });

  test('sends nothing when it is aborted before', async () => {
    const { update, received } = await connect(createClient, ok);
    await expect(update('a', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(received).toEqual([]);
  });

  test('uses a connection again, and reads a response of 8 MiB', async () => {
    const { update, received } = await connect(createClient, ok, paddedTo(8 * MiB));
    await update();
    await update();
    expect(received[1]?.socket).toBe(received[0]?.socket);
  });

  test.each<[string, Reply, object]>([
    ['has more than 8 MiB', paddedTo(8 * MiB + 1), { code: 'ERR_RESPONSE_TOO_LARGE' }],
    ['is cut off', brokenReplies.cutOff, { code: 'ECONNRESET' }],
    ['does not come', brokenReplies.reset, { code: 'ECONNRESET' }],
  ])('fails when a response %s', async (_, reply, error) => {
    const { update } = await connect(createClient, reply);
    await expect(update()).rejects.toMatchObject(error);
  });

  test('ends when it is aborted in the middle of a response', async () => {
    const { client, update } = await connect(createClient, endless);
    const controller = new AbortController();
    const { handle } = client.config.requestHandler;
    vi.spyOn(client.config.requestHandler, 'handle').mockImplementation(async (...request) => {
      const result = await Reflect.apply(handle, client.config.requestHandler, request);
      setImmediate(() => controller.abort());
      return result;
    });
    const { name, code = name } = await update('a', controller.signal).catch((error: unknown) =>
      Object(error),
    );
    // The second one if the body has already begun to arrive.
    expect(['AbortError', 'ECONNRESET']).toContain(code);
  });

  test('limits the time to connect, but not the time to respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const slow: Reply = (response, request) => {
      vi.advanceTimersByTime(300);
      return ok(response, request);
    };
    const { update } = await connect(createClient, slow);
    expect(await update()).toMatchObject({ $metadata: { httpStatusCode: 200 } });

    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://table.example');
    // No address is found.
    vi.spyOn(dns, 'lookup').mockImplementationOnce(
      () => void setImmediate(() => vi.advanceTimersByTime(300)),
    );
    const command = new UpdateCommand({ TableName: 'Files', Key: { spaceId: 's', fileId: 'a' } });
    const { signal: abortSignal } = new AbortController();
    await expect(createClient().send(command, { abortSignal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});
