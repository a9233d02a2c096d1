import { createHash, createHmac } from 'node:crypto';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Sha256 } from '#lib/runtime/shims/sha256.ts';
import { useEndpoint } from '#test/support/endpoint.ts';
import { reply, startStubEngine } from '#test/support/stub-engine.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const hexOf = async (hash: Sha256, ...parts: (string | ArrayBuffer | ArrayBufferView)[]) => {
  for (const part of parts) hash.update(part);
  return Buffer.from(await hash.digest()).toString('hex');
};

test('SHA-256 of nothing, and of "abc" (FIPS 180-4, example values)', async () => {
  expect(await hexOf(new Sha256())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(await hexOf(new Sha256(), 'abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('HMAC-SHA-256 (RFC 4231, test cases 1, 2 and 6)', async () => {
  expect(await hexOf(new Sha256(Buffer.alloc(20, 0x0b)), 'Hi There')).toBe(
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  );
  expect(await hexOf(new Sha256('Jefe'), 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  const longKey = new Sha256(Buffer.alloc(131, 0xaa));
  expect(await hexOf(longKey, 'Test Using Larger Than Block-Size Key - Hash Key First')).toBe(
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  );
});

const bytes = Buffer.from('naïve ☃ text');
const view = new Uint8Array(new ArrayBuffer(64), 8, 32).fill(7);

test.each([
  ['text', 'naïve ☃ text', bytes],
  ['a part of a buffer', view, view],
  ['a whole buffer', Uint8Array.from(bytes).buffer, bytes],
])('%s is taken as its bytes, as data and as a secret', async (_, data, same) => {
  expect(await hexOf(new Sha256(), data, data)).toBe(
    createHash('sha256').update(same).update(same).digest('hex'),
  );
  expect(await hexOf(new Sha256(data), 'x')).toBe(createHmac('sha256', same).update('x').digest('hex'));
});

test('an empty secret is a secret', async () => {
  expect(await hexOf(new Sha256(''), 'x')).toBe(createHmac('sha256', '').update('x').digest('hex'));
});

test('a call is signed with it as with the SDK’s own', async () => {
  const engine = await startStubEngine([reply.json({})]);
  onTestFinished(engine.stop);
  useEndpoint(engine.endpoint);
  vi.setSystemTime('2026-11-21T00:00:00Z');

  for (const hash of [{}, { sha256: Sha256 }]) {
    const client = new DynamoDBClient(hash);
    // An attempt has a random id, which would be signed too.
    const silent = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high' } as const;
    client.middlewareStack.add((next) => next, { ...silent, override: true });
    await client.send(new ListTablesCommand({ ExclusiveStartTableName: 'files' }));
    client.destroy();
  }
  const [theirs, ours] = engine.received.map(({ authorization }) => authorization);
  expect(ours).toMatch(/^AWS4-HMAC-SHA256 Credential=local\/20261121\/local-1\/dynamodb\/aws4_request, /);
  expect(ours).toBe(theirs);
});
