import { hashApiKey } from '#lib/store/keys.ts';
import { generateKey, generateKeyId } from './generate.ts';
import { type ApiKeyTable, putKey, type StoredKey } from './store.ts';

/** What is decided about a key before it is made. Times in epoch seconds. */
type Wanted = Omit<StoredKey, 'keyHash' | 'keyId'>;

/** Makes a key and stores its hash. Its plain text is in what this gives back, and nowhere else. */
export const makeKey = async (
  table: ApiKeyTable,
  wanted: Wanted,
): Promise<{ key: string; stored: StoredKey }> => {
  const key = generateKey();
  const stored = { ...wanted, keyHash: hashApiKey(key), keyId: generateKeyId() };
  await putKey(table, stored);
  return { key, stored };
};
