import { Readable } from 'node:stream';
import type { HttpRequest } from '@smithy/core/protocols';
import { expect, test, vi } from 'vitest';
import { Sha256 } from '#lib/runtime/cheap-calls.ts';
import { clientOptions, createDynamoDBClient } from '#lib/runtime/dynamodb-client.ts';
import { requestOf, stubSettings, updateBy, withoutSockets } from '#test/support/client.ts';

const MiB = 1024 * 1024;

test('makes one attempt, limits the time to connect, and leaves nothing to ~/.aws', async () => {
  expect(clientOptions).toEqual({
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabled: false,
    authSchemePreference: expect.any(Function),
    requestHandler: { connectionTimeout: 300 },
    streamCollector: expect.any(Function),
    sha256: Sha256,
  });
  expect(await clientOptions.authSchemePreference()).toEqual([]);
});

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
  expect(await requestOf(createDynamoDBClient())).toMatchObject({ hostname });
});

test('gives each of two calls at the same time its own input, response and signal', async () => {
  const sentBy = ({ body }: HttpRequest) => JSON.parse(new TextDecoder().decode(body));
  const echo = (request: HttpRequest) => `{"Attributes":${JSON.stringify(sentBy(request).Key)}}`;
  const { handle, update } = withoutSockets(createDynamoDBClient, echo);
  const [first, second] = [new AbortController(), new AbortController()];
  expect(await Promise.all([update('a', first.signal), update('b', second.signal)])).toMatchObject([
    { Attributes: { spaceId: 's', fileId: 'a' } },
    { Attributes: { spaceId: 's', fileId: 'b' } },
  ]);
  for (const [request, options] of handle.mock.calls) {
    const controller = sentBy(request).Key.fileId.S === 'a' ? first : second;
    expect(Object(options).abortSignal).toBe(controller.signal);
  }
  expect(handle).toHaveBeenCalledTimes(2);
});

test('sends nothing when it is aborted before', async () => {
  stubSettings('http://127.0.0.1:1');
  const client = createDynamoDBClient();
  await expect(updateBy(client)('a', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

test('reads a response of 8 MiB', async () => {
  const { update } = withoutSockets(createDynamoDBClient, () => '{}'.padEnd(8 * MiB));
  expect(await update()).toMatchObject({ $metadata: { httpStatusCode: 200 } });
});

test('reads a number that no double holds', async () => {
  const { update } = withoutSockets(
    createDynamoDBClient,
    () => '{"Attributes":{"views":{"N":"12345678901234567890.5"}}}',
  );
  expect(await update()).toMatchObject({ Attributes: { views: Number('12345678901234567890.5') } });
});

test('rejects a response of more than 8 MiB', async () => {
  const { update } = withoutSockets(createDynamoDBClient, () => '{}'.padEnd(8 * MiB + 1));
  await expect(update()).rejects.toMatchObject({
    code: 'ERR_RESPONSE_TOO_LARGE',
    message: expect.stringContaining('response of more than 8388608 bytes'),
  });
});

test('rejects a response that is cut off', async () => {
  const cutOff = () =>
    new Readable({
      read() {
        this.push('{');
        this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
      },
    });
  const { update } = withoutSockets(createDynamoDBClient, cutOff);
  await expect(update()).rejects.toMatchObject({ code: 'ECONNRESET' });
});
