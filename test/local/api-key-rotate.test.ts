import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { identifyCaller } from '#lib/domain/api-key.ts';
import { hashApiKey } from '#lib/store/keys.ts';
import { rotate } from '#local/api-key/rotate.ts';
import { type ApiKeyTable, findKeys, getKey, type StoredKey } from '#local/api-key/store.ts';
import { Complaint } from '#local/complaint.ts';
import { openTables } from '../support/tables.ts';

const now = 1_800_000_000;
const week = 604_800;

let table: ApiKeyTable;
beforeAll(async () => {
  const { client, config } = await openTables('rotate');
  table = { documents: client, tableName: config.apiKeysTable };
});

/** Stores a key of its own for a test, named as its id. */
const given = async (keyId: string, record: Partial<StoredKey> = {}): Promise<StoredKey> => {
  const key = {
    keyHash: hashApiKey(keyId),
    keyId,
    tenantId: keyId,
    scope: 'INTERNAL',
    roles: ['viewer', 'editor'],
    name: 'CI bot',
    createdAt: 1_700_000_000,
    ...record,
  };
  await table.documents.send(new PutCommand({ TableName: table.tableName, Item: key }));
  return key;
};

const keysOf = (tenantId: string) => findKeys(table, { attribute: 'tenantId', value: tenantId });

/** Rotates, and gives what was shown and told. */
const run = async (
  keyId: string,
  { oldExpiresAt = now + week, expiresAt = undefined as number | undefined } = {},
) => {
  const shown: string[] = [];
  const show = async (text: string) => void shown.push(text);
  const told = await rotate(table, { keyId, oldExpiresAt, expiresAt }, { now, show });
  const [key = ''] = /sfk_\w+/.exec(shown.join('')) ?? [];
  return { key, shown: shown.join(''), told };
};

test('the new key has the tenant, roles, scope and name of the old one, which lives on for the time that is given', async () => {
  const old = await given('key_a');
  const { key, shown, told } = await run('key_a');
  const stored = await getKey(table, hashApiKey(key));
  expect(stored).toStrictEqual({
    ...old,
    keyHash: hashApiKey(key),
    keyId: expect.stringMatching(/^key_\w{12}$/),
    createdAt: now,
  });
  expect(shown).toBe(`API key  ${key}
key id   ${stored?.keyId}
tenant   key_a
roles    viewer, editor
expires  never

Only its hash is stored: keep the key now, it cannot be shown again.

`);
  expect(told).toBe('key_a stays valid until 2027-01-22T08:00:00Z.\n');
  expect(await getKey(table, old.keyHash)).toStrictEqual({ ...old, expiresAt: now + week });
});

test('the function takes both keys, and the old one no longer from its last second on', async () => {
  const old = await given('key_b', { scope: 'PRODUCT' });
  const { key } = await run('key_b');
  const request = { tenantId: 'key_b', userId: 'ada' };
  const caller = async (keyHash: string, seconds: number) => {
    const { Item } = await table.documents.send(
      new GetCommand({ TableName: table.tableName, Key: { keyHash } }),
    );
    const record = { ...old, ...Item };
    return () => identifyCaller(record, { ...request, now: seconds * 1000 });
  };
  const lastSecond = now + week - 1;
  expect((await caller(old.keyHash, lastSecond))()).toMatchObject({ keyId: 'key_b' });
  expect((await caller(hashApiKey(key), lastSecond))()).toMatchObject(request);
  expect(await caller(old.keyHash, now + week)).toThrow();
  expect((await caller(hashApiKey(key), now + week))()).toMatchObject(request);
});

test('the new key expires only when that is asked for, and never because the old one does', async () => {
  await given('key_c', { expiresAt: now + 9 * week });
  const asked = await run('key_c', { expiresAt: now + 50 * week });
  expect(await getKey(table, hashApiKey(asked.key))).toMatchObject({ expiresAt: now + 50 * week });
  const other = await run('key_c');
  expect(await getKey(table, hashApiKey(other.key))).not.toHaveProperty('expiresAt');
});

test('without days to keep it the old key is void at once', async () => {
  await given('key_d');
  expect((await run('key_d', { oldExpiresAt: now })).told).toBe('key_d is expired now.\n');
});

test('a key that expires earlier is not prolonged', async () => {
  const old = await given('key_e', { expiresAt: now + 60 });
  expect((await run('key_e')).told).toBe('key_e stays valid until 2027-01-15T08:01:00Z.\n');
  expect(await getKey(table, old.keyHash)).toStrictEqual(old);
});

test.each([
  ['a revoked key', 'key_f', { revokedAt: now - 1 }, 'key_f is revoked; create makes a new key.'],
  ['an expired key', 'key_g', { expiresAt: now }, 'key_g is expired; create makes a new key.'],
])('%s is not rotated', async (_, keyId, record, complaint) => {
  await given(keyId, record);
  await expect(run(keyId)).rejects.toThrow(new Complaint(complaint));
  expect(await keysOf(keyId)).toHaveLength(1);
});

test('an id that no key has, or two, is one sentence', async () => {
  await given('key_h');
  await given('key_h', { keyHash: 'another' });
  await expect(run('key_h')).rejects.toThrow(new Complaint('2 API keys have the id key_h.'));
  await expect(run('key_0')).rejects.toThrow(new Complaint('There is no API key with the id key_0.'));
});

test('broken off before the new key is seen, it leaves the old one as it was; run again it makes one more', async () => {
  const old = await given('key_i');
  const rotation = { keyId: 'key_i', oldExpiresAt: now + week, expiresAt: undefined };
  const show = () => Promise.reject(new Error('write EPIPE'));
  await expect(rotate(table, rotation, { now, show })).rejects.toThrow(
    /^key_\w{12} is made, but key_i was perhaps not given its end: write EPIPE; revoke whichever nobody uses\.$/,
  );
  expect(await getKey(table, old.keyHash)).toStrictEqual(old);
  expect((await run('key_i')).told).toBe('key_i stays valid until 2027-01-22T08:00:00Z.\n');
  expect((await keysOf('key_i')).map(({ expiresAt }) => expiresAt)).toStrictEqual([
    now + week,
    undefined,
    undefined,
  ]);
});

test('a key that is revoked meanwhile stays revoked, and one that is removed stays away', async () => {
  const rotation = { oldExpiresAt: now + week, expiresAt: undefined };
  const revoked = await given('key_j');
  const revoke = async () => void (await given('key_j', { revokedAt: now }));
  expect(await rotate(table, { ...rotation, keyId: 'key_j' }, { now, show: revoke })).toBe(
    'key_j is revoked now.\n',
  );
  expect(await getKey(table, revoked.keyHash)).toStrictEqual({ ...revoked, revokedAt: now });

  const { keyHash } = await given('key_k');
  const remove = async () =>
    void (await table.documents.send(new DeleteCommand({ TableName: table.tableName, Key: { keyHash } })));
  expect(await rotate(table, { ...rotation, keyId: 'key_k' }, { now, show: remove })).toBe(
    'key_k is gone meanwhile.\n',
  );
  expect(await getKey(table, keyHash)).toBeUndefined();
});
