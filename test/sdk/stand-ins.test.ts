import { afterEach, expect, test, vi } from 'vitest';
import { Crc32 } from '#lib/runtime/shims/checksum.ts';
import { defaultProvider } from '#lib/runtime/shims/credentials.ts';
import * as discovery from '#lib/runtime/shims/endpoint-discovery.ts';
import { EventStreamSerde, eventStreamSerdeProvider } from '#lib/runtime/shims/event-streams.ts';
import { readFile } from '#lib/runtime/shims/no-files.ts';

afterEach(() => void vi.unstubAllEnvs());

test('credentials are those of the environment, with the session that Lambda gives', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  expect(await defaultProvider()()).toMatchObject({
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'secret',
    sessionToken: 'session',
  });
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  await expect(defaultProvider()()).rejects.toThrow('Unable to find environment variable credentials.');
});

test('no endpoint is discovered, whatever the environment says', () => {
  const config = { region: 'local-1' };
  expect(discovery.resolveEndpointDiscoveryConfig(config)).toBe(config);
  const { environmentVariableSelector, configFileSelector } =
    discovery.NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS;
  expect([environmentVariableSelector(), configFileSelector()]).toEqual([undefined, undefined]);
});

test('no file is read: each is as good as missing', async () => {
  await expect(readFile('.aws/config')).rejects.toMatchObject({ code: 'ENOENT' });
});

test('whoever wants an event stream is told that there is none', () => {
  for (const use of [EventStreamSerde, eventStreamSerdeProvider])
    expect(use).toThrow('event streams are left out of this bundle (docs/decisions/006)');
});

test('whoever wants a CRC-32 is told that there is none', () => {
  expect(Crc32).toThrow('CRC-32 is left out of this bundle (docs/decisions/006)');
});
