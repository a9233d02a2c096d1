import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { HttpRequest } from '@smithy/core/transport';
import { describe, expect, test, vi } from 'vitest';
import { Crc32 } from '#lib/runtime/shims/checksum.ts';
import { defaultProvider } from '#lib/runtime/shims/credentials.ts';
import * as discovery from '#lib/runtime/shims/endpoint-discovery.ts';
import { EventStreamSerde, eventStreamSerdeProvider } from '#lib/runtime/shims/event-streams.ts';
import { readFile } from '#lib/runtime/shims/no-files.ts';
import { Sha256 } from '#lib/runtime/shims/sha256.ts';
import { settingsFor } from '#test/support/endpoint.ts';

describe('Sha256', () => {
  const abc = new TextEncoder().encode('-abc-');
  const hashOfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const hmacOfJefe = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  const emptySecretHmac = 'b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad';
  test.each([
    ['of text (FIPS 180-4)', undefined, ['abc'], hashOfAbc],
    ['of a part of a buffer', undefined, [abc.subarray(1, 4)], hashOfAbc],
    ['of a whole buffer', undefined, [abc.slice(1, 4).buffer], hashOfAbc],
    ['with a secret (RFC 4231, case 2)', 'Jefe', ['what do ya want ', 'for nothing?'], hmacOfJefe],
    ['with a secret in bytes', Buffer.from('Jefe'), ['what do ya want for nothing?'], hmacOfJefe],
    ['with an empty secret', '', [], emptySecretHmac],
  ])('is the hash %s', async (_, secret, parts, hex) => {
    const hash = new Sha256(secret);
    for (const part of parts) hash.update(part);
    expect(Buffer.from(await hash.digest()).toString('hex')).toBe(hex);
  });

  test('signs a call as the SDK does', async () => {
    for (const [name, value] of Object.entries(settingsFor('http://127.0.0.1:1'))) vi.stubEnv(name, value);
    vi.setSystemTime('2026-11-21T00:00:00Z');
    const signatures: unknown[] = [];
    const requestHandler = {
      handle: async ({ headers }: HttpRequest) => {
        signatures.push(headers['authorization']);
        throw new Error('not sent');
      },
    };
    for (const options of [{}, { sha256: Sha256 }]) {
      const client = new DynamoDBClient({ requestHandler, ...options });
      // It would add a random id to the headers, which are signed.
      const place = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high' } as const;
      client.middlewareStack.add((next) => next, { ...place, override: true });
      await expect(client.send(new ListTablesCommand({}))).rejects.toThrow('not sent');
    }
    const [theirs, ours] = signatures;
    expect(ours).toMatch(/^AWS4-HMAC-SHA256 Credential=local\/20261121\/us-east-1\/dynamodb\/aws4_request, /);
    expect(ours).toBe(theirs);
  });
});

test('credentials are read from the environment, once', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  const provide = defaultProvider();
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };
  expect(await provide()).toMatchObject(credentials);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
  expect(await provide()).toMatchObject(credentials);
  await expect(defaultProvider()()).rejects.toThrow('Unable to find environment variable credentials.');
});

test('nothing is looked up: no endpoint and no file', async () => {
  const config = { region: 'us-east-1' };
  expect(discovery.resolveEndpointDiscoveryConfig(config)).toBe(config);
  const options = discovery.NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS;
  expect([options.environmentVariableSelector(), options.configFileSelector()]).toEqual([
    undefined,
    undefined,
  ]);
  await expect(readFile('.aws/config')).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each([
  [EventStreamSerde, 'event streams are left out of this bundle (docs/decisions/006)'],
  [eventStreamSerdeProvider, 'event streams are left out of this bundle (docs/decisions/006)'],
  [Crc32, 'CRC-32 is left out of this bundle (docs/decisions/006)'],
])('what is left out says so: %o', (use, message) => {
  expect(use).toThrow(message);
});
