import { hashApiKey } from '#lib/store/keys.ts';
import { Complaint } from '../complaint.ts';
import type { ApiKeyCommand } from './arguments.ts';
import { revokeKey } from './end-key.ts';
import { makeKey } from './make-key.ts';
import { describeKey, describeKeys, describeNewKey, keysAsJson } from './print.ts';
import { readSecret } from './read-secret.ts';
import { rotate } from './rotate.ts';
import { type ApiKeyTable, expectKeys, findKeys, getKey } from './store.ts';
import { toSeconds } from './values.ts';

type Command<Name> = Extract<ApiKeyCommand, { name: Name }>;

const list = async (
  table: ApiKeyTable,
  { tenantId, json }: Command<'list'>,
  now: number,
): Promise<string> => {
  const ofOneTenant = tenantId !== undefined;
  const keys = await findKeys(table, ofOneTenant ? { attribute: 'tenantId', value: tenantId } : undefined);
  if (json) return keysAsJson(keys, now);
  if (keys.length > 0) return describeKeys(keys, { now, ofOneTenant });
  return ofOneTenant ? `Tenant ${tenantId} has no API keys.\n` : 'There are no API keys.\n';
};

const identify = async (table: ApiKeyTable, now: number): Promise<string> => {
  const secret = await readSecret('API key (it is not shown): ');
  if (secret === '') throw new Complaint('No API key came from stdin.');
  const key = await getKey(table, hashApiKey(secret));
  if (key !== undefined) return describeKey(key, now);
  throw new Complaint(
    `${table.tableName} knows no such API key: it is not one, not whole, or expired and removed.`,
  );
};

const revoke = async (table: ApiKeyTable, keyId: string, now: number): Promise<string> => {
  const keys = await expectKeys(table, keyId);
  const revoked = await Promise.all(keys.map(({ keyHash }) => revokeKey(table, keyHash, now)));
  return revoked.includes(true) ? `${keyId} is revoked.\n` : `${keyId} was revoked already.\n`;
};

/** Does what was asked for and gives what there is to tell in the end; `show` tells what must be told before. */
export const perform = async (
  table: ApiKeyTable,
  command: Exclude<ApiKeyCommand, { name: 'help' }>,
  { date, show }: { date: Date; show: (text: string) => Promise<void> },
): Promise<string> => {
  const now = toSeconds(date);
  switch (command.name) {
    case 'create': {
      const { key, stored } = await makeKey(table, { ...command.key, scope: 'PRODUCT', createdAt: now });
      return describeNewKey(key, stored);
    }
    case 'rotate':
      return rotate(table, command, { now, show });
    case 'list':
      return list(table, command, now);
    case 'show':
      return (await expectKeys(table, command.keyId)).map((key) => describeKey(key, now)).join('\n');
    case 'identify':
      return identify(table, now);
    case 'revoke':
      return revoke(table, command.keyId, now);
  }
};
