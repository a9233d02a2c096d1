import { hashApiKey } from '#lib/store/keys.ts';
import { type ApiKeyCommand, apiKeyUsage, readApiKeyCommand } from './api-key/arguments.ts';
import { generateKey, generateKeyId } from './api-key/generate.ts';
import { openTable } from './api-key/open-table.ts';
import { describeKeys, describeNewKey } from './api-key/print.ts';
import { type ApiKeyTable, findKeys, putKey, revokeKey } from './api-key/store.ts';
import type { NewKey } from './api-key/values.ts';
import { runCommand } from './command.ts';
import { Complaint, reasonOf } from './complaint.ts';

const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

const create = async (table: ApiKeyTable, newKey: NewKey, now: Date): Promise<string> => {
  const key = generateKey();
  const keyId = generateKeyId();
  await putKey(table, {
    ...newKey,
    keyHash: hashApiKey(key),
    keyId,
    scope: 'PRODUCT',
    createdAt: toSeconds(now),
  });
  return describeNewKey(key, keyId, newKey);
};

const list = async (table: ApiKeyTable, tenantId: string, now: Date): Promise<string> => {
  const keys = await findKeys(table, 'tenantId', tenantId);
  return keys.length === 0 ? `Tenant ${tenantId} has no API keys.\n` : describeKeys(keys, toSeconds(now));
};

const revoke = async (table: ApiKeyTable, keyId: string, now: Date): Promise<string> => {
  const keys = await findKeys(table, 'keyId', keyId);
  if (keys.length === 0) throw new Complaint(`There is no API key with the id ${keyId}.`);
  const revoked = await Promise.all(keys.map(({ keyHash }) => revokeKey(table, keyHash, toSeconds(now))));
  return revoked.includes(true) ? `${keyId} is revoked.\n` : `${keyId} was revoked already.\n`;
};

const perform = (table: ApiKeyTable, command: Exclude<ApiKeyCommand, { name: 'help' }>, now: Date) => {
  if (command.name === 'create') return create(table, command.key, now);
  if (command.name === 'list') return list(table, command.tenantId, now);
  return revoke(table, command.keyId, now);
};

/** `npm run api-key`: makes, lists and revokes API keys. */
await runCommand(async () => {
  const now = new Date();
  const command = readApiKeyCommand(process.argv.slice(2), now);
  if (command.name === 'help') {
    process.stdout.write(apiKeyUsage);
    return;
  }
  const table = openTable(command.table);
  try {
    process.stdout.write(await perform(table, command, now));
  } catch (error) {
    if (error instanceof Complaint) throw error;
    throw new Complaint(`The table ${table.tableName} could not be used: ${reasonOf(error)}`, {
      cause: error,
    });
  } finally {
    table.documents.destroy();
  }
});
