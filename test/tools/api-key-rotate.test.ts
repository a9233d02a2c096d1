import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { hashApiKey } from '#lib/store/keys.ts';
import { openTables, type Tables } from '#test/support/tables.ts';
import { UsageError } from '#tools/cli.ts';
import { perform, readCommand } from '#tools/tables/api-key.ts';
import { type ApiKeys, openApiKeys, type StoredKey } from '#tools/tables/api-keys-table.ts';

const now = 1_800_000_000;
const week = 604_800;

let tables: Tables;
let apiKeys: ApiKeys;
beforeAll(async () => {
  tables = await openTables('rotate');
  apiKeys = openApiKeys(tables.client, tables.config.apiKeysTable);
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 }));

/** Stores a key. */
const given = async (keyId: string, attributes: Partial<StoredKey> = {}) => {
  const who = { keyId, tenantId: keyId, scope: 'INTERNAL', roles: ['viewer', 'editor'], name: 'CI bot' };
  const Item = { keyHash: hashApiKey(keyId), ...who, createdAt: 1_700_000_000, ...attributes };
  await tables.client.send(new PutCommand({ TableName: tables.config.apiKeysTable, Item }));
  return { ...Item, state: 'active' };
};

/** Rotates a key. Returns the plain new key. */
const rotate = async (keyId: string, meanwhile: () => Promise<unknown> = async () => undefined) => {
  const shown: string[] = [];
  await perform(apiKeys, readCommand(['rotate', keyId]).command, async (text) => {
    if (shown.push(text) === 1) await meanwhile();
  });
  return shown[0]?.split('\n')[0] ?? '';
};

test.each([
  ['gets an end', {}, now + week],
  ['ends never later than before', { expiresAt: now + 60 }, now + 60],
  ['ends earlier than before', { expiresAt: now + 9 * week }, now + week],
])('the new key has the attributes of the old one, which %s', async (title, before, after) => {
  const old = await given(title, before);
  const keyHash = hashApiKey(await rotate(title));
  const { expiresAt: _, ...kept } = old;
  const keyId = expect.stringMatching(/^key_\w{12}$/);
  expect(await apiKeys.get(keyHash)).toStrictEqual({ ...kept, keyHash, keyId, createdAt: now });
  expect(await apiKeys.get(old.keyHash)).toStrictEqual({ ...old, expiresAt: after });
});

test.each<[string, Partial<StoredKey>[], string]>([
  ['revoked', [{ revokedAt: now - 1 }], 'revoked is revoked. Use create to make a new key.'],
  ['expired', [{ expiresAt: now }], 'expired is expired. Use create to make a new key.'],
  ['missing', [], 'There is no API key with the id missing.'],
  ['twice', [{}, { keyHash: 'another' }], 'Several API keys have the id twice.'],
])('a key that is %s is not rotated', async (keyId, stored, message) => {
  for (const attributes of stored) await given(keyId, attributes);
  const before = await tables.everything();
  await expect(rotate(keyId)).rejects.toThrow(new UsageError(message));
  expect(await tables.everything()).toStrictEqual(before);
});

test('if the new key cannot be shown, the old one stays as it is', async () => {
  const old = await given('key_i');
  const broken = () => Promise.reject(new Error('write EPIPE'));
  await expect(rotate('key_i', broken)).rejects.toThrow(
    /^key_\w{12} was created, but key_i may not have got its end: write EPIPE\. Revoke the key that nobody uses\.$/,
  );
  expect(await apiKeys.get(old.keyHash)).toStrictEqual(old);
});

test('a key that is revoked or removed meanwhile stays so', async () => {
  const revoked = await given('key_j');
  await rotate('key_j', () => given('key_j', { revokedAt: now }));
  expect(await apiKeys.get(revoked.keyHash)).toStrictEqual({ ...revoked, revokedAt: now, state: 'revoked' });
  const { keyHash } = await given('key_k');
  const remove = new DeleteCommand({ TableName: tables.config.apiKeysTable, Key: { keyHash } });
  await rotate('key_k', () => tables.client.send(remove));
  expect(await apiKeys.get(keyHash)).toBeUndefined();
});
