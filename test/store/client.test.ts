import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { clientOptions, createClient } from '#lib/runtime/deps.ts';
import { useEndpoint } from '#test/support/endpoint.ts';
import { reply, startStubEngine } from '#test/support/stub-engine.ts';

afterEach(() => vi.unstubAllEnvs());

test('the client makes one attempt, limits connecting, and looks nothing up in files', async () => {
  const { userAgentAppId, authSchemePreference, streamCollector, ...options } = clientOptions;
  expect(options).toEqual({
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabled: false,
    requestHandler: { connectionTimeout: 300 },
  });
  expect([await userAgentAppId(), await authSchemePreference()]).toEqual([undefined, []]);
  const { config } = createClient();
  expect(await config.maxAttempts()).toBe(1);
  expect(config.streamCollector).toBe(streamCollector);
});

test('what a call goes through is known: nothing logs it, and what would repeat it is only a place', () => {
  const { middlewareStack } = createClient();
  expect(middlewareStack.identify()).toEqual([
    'serializerMiddleware - serialize',
    'contentLengthMiddleware - build',
    'getUserAgentMiddleware - build',
    'hostHeaderMiddleware - build',
    'recursionDetectionMiddleware - build',
    'retryMiddleware - finalizeRequest',
    'httpSigningMiddleware (a.k.a. apiKeyMiddleware,tokenMiddleware,awsAuthMiddleware) - finalizeRequest',
    'deserializerMiddleware - deserialize',
  ]);
});

test('a call says who makes it, and nothing of attempts', async () => {
  const engine = await startStubEngine([reply.json({})]);
  onTestFinished(engine.stop);
  useEndpoint(engine.endpoint);

  const client = createClient();
  await client.send(new UpdateCommand({ TableName: 'files', Key: { fileId: 'file-1' } }));
  client.config.requestHandler.destroy?.();
  expect(engine.received.map((headers) => Object.keys(headers).sort())).toEqual([
    [
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'x-amz-content-sha256',
      'x-amz-date',
      'x-amz-target',
      'x-amz-user-agent',
    ],
  ]);
});
