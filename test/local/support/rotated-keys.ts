import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll } from 'vitest';
import { hashApiKey } from '#lib/store/keys.ts';
import { rotate } from '#local/api-key/rotate.ts';
import { type ApiKeyTable, findKeys, type StoredKey } from '#local/api-key/store.ts';
import type { Tables } from '../../support/tables.ts';

export const now = 1_800_000_000;
export const week = 604_800;

/** Keys to rotate, in a table that is there once a test runs. */
export const rotatedKeys = (open: () => Promise<Tables>) => {
  let table: ApiKeyTable;
  beforeAll(async () => {
    const { client, config } = await open();
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

  return {
    given,
    keysOf,
    run,
    get table() {
      return table;
    },
  };
};
