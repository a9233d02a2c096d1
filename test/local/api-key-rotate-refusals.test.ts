import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { rotate } from '#local/api-key/rotate.ts';
import { getKey } from '#local/api-key/store.ts';
import { Complaint } from '#local/complaint.ts';
import { openTables } from '../support/tables.ts';
import { now, rotatedKeys, week } from './support/rotated-keys.ts';

const keys = rotatedKeys(() => openTables('rotate-refusals'));
const { given, keysOf, run } = keys;

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
  await expect(rotate(keys.table, rotation, { now, show })).rejects.toThrow(
    /^key_\w{12} is made, but key_i was perhaps not given its end: write EPIPE; revoke whichever nobody uses\.$/,
  );
  expect(await getKey(keys.table, old.keyHash)).toStrictEqual(old);
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
  expect(await rotate(keys.table, { ...rotation, keyId: 'key_j' }, { now, show: revoke })).toBe(
    'key_j is revoked now.\n',
  );
  expect(await getKey(keys.table, revoked.keyHash)).toStrictEqual({ ...revoked, revokedAt: now });

  const { keyHash } = await given('key_k');
  const remove = async () =>
    void (await keys.table.documents.send(
      new DeleteCommand({ TableName: keys.table.tableName, Key: { keyHash } }),
    ));
  expect(await rotate(keys.table, { ...rotation, keyId: 'key_k' }, { now, show: remove })).toBe(
    'key_k is gone meanwhile.\n',
  );
  expect(await getKey(keys.table, keyHash)).toBeUndefined();
});
