import { expect, test } from 'vitest';
import { clientOptions, createClient } from '#lib/store/client.ts';

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
