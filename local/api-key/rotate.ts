import { Complaint, reasonOf } from '../complaint.ts';
import { expireKey } from './end-key.ts';
import { makeKey } from './make-key.ts';
import { describeNewKey } from './print.ts';
import { stateOf, toTimeText } from './state.ts';
import { type ApiKeyTable, expectKeys, type StoredKey } from './store.ts';

type Rotation = { keyId: string; oldExpiresAt: number; expiresAt: number | undefined };

/**
 * Makes the successor of a key, and only when that is stored and `show` has shown it lets the old one expire: broken
 * off anywhere, it leaves the holder a valid key. Run again it makes one more.
 *
 * @param now epoch seconds, as the times of the rotation
 * @param show must reject when nobody can have seen it
 * @returns what became of the old key
 * @throws {Complaint} when there is no such key, or it is not valid
 */
export const rotate = async (
  table: ApiKeyTable,
  { keyId, oldExpiresAt, expiresAt }: Rotation,
  { now, show }: { now: number; show: (text: string) => Promise<void> },
): Promise<string> => {
  const old = expectOneValid(await expectKeys(table, keyId), now);
  const { tenantId, roles, scope, name } = old;
  const wanted = { tenantId, roles, scope, createdAt: now };
  const { key, stored } = await makeKey(table, {
    ...wanted,
    ...(name !== undefined && { name }),
    ...(expiresAt !== undefined && { expiresAt }),
  });
  try {
    await show(`${describeNewKey(key, stored)}\n`);
    return describeOld(keyId, await expireKey(table, old.keyHash, oldExpiresAt), now);
  } catch (error) {
    const problem = `${stored.keyId} is made, but ${keyId} was perhaps not given its end: ${reasonOf(error)}`;
    throw new Complaint(`${problem}; revoke whichever nobody uses.`, { cause: error });
  }
};

const expectOneValid = ([old, ...more]: [StoredKey, ...StoredKey[]], now: number): StoredKey => {
  const { keyId } = old;
  if (more.length > 0) throw new Complaint(`${more.length + 1} API keys have the id ${keyId}.`);
  const state = stateOf(old, now);
  if (state !== 'active') throw new Complaint(`${keyId} is ${state}; create makes a new key.`);
  return old;
};

const describeOld = (keyId: string, old: StoredKey | undefined, now: number): string => {
  if (old === undefined) return `${keyId} is gone meanwhile.\n`;
  const state = stateOf(old, now);
  if (state !== 'active') return `${keyId} is ${state} now.\n`;
  const end = old.expiresAt === undefined ? '' : ` until ${toTimeText(old.expiresAt)}`;
  return `${keyId} stays valid${end}.\n`;
};
