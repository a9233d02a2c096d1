import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { authorizeKey } from '#lib/domain/api-key.ts';
import { hashApiKey } from '#lib/store/keys.ts';
import { getKey } from '#local/api-key/store.ts';
import { openTables } from '../support/tables.ts';
import { now, rotatedKeys, week } from './support/rotated-keys.ts';

const keys = rotatedKeys(() => openTables('rotate'));
const { given, run } = keys;

test('the new key has the tenant, roles, scope and name of the old one, which lives on for the time that is given', async () => {
  const old = await given('key_a');
  const { key, shown, told } = await run('key_a');
  const stored = await getKey(keys.table, hashApiKey(key));
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
  expect(await getKey(keys.table, old.keyHash)).toStrictEqual({ ...old, expiresAt: now + week });
});

test('the function takes both keys, and the old one no longer from its last second on', async () => {
  const old = await given('key_b', { scope: 'PRODUCT' });
  const { key } = await run('key_b');
  const request = { tenantId: 'key_b', userId: 'ada' };
  const caller = async (keyHash: string, seconds: number) => {
    const { Item } = await keys.table.documents.send(
      new GetCommand({ TableName: keys.table.tableName, Key: { keyHash } }),
    );
    const record = { ...old, ...Item };
    return () => authorizeKey(record, { ...request, now: seconds * 1000 });
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
  expect(await getKey(keys.table, hashApiKey(asked.key))).toMatchObject({ expiresAt: now + 50 * week });
  const other = await run('key_c');
  expect(await getKey(keys.table, hashApiKey(other.key))).not.toHaveProperty('expiresAt');
});

test('without days to keep it the old key is void at once', async () => {
  await given('key_d');
  expect((await run('key_d', { oldExpiresAt: now })).told).toBe('key_d is expired now.\n');
});

test('a key that expires earlier is not prolonged', async () => {
  const old = await given('key_e', { expiresAt: now + 60 });
  expect((await run('key_e')).told).toBe('key_e stays valid until 2027-01-15T08:01:00Z.\n');
  expect(await getKey(keys.table, old.keyHash)).toStrictEqual(old);
});
