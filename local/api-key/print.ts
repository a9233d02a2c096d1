import type { StoredKey } from './store.ts';
import type { NewKey } from './values.ts';

/** What is told of a new key: the only time its plain text is seen. */
export const describeNewKey = (key: string, keyId: string, { tenantId, roles, expiresAt }: NewKey): string =>
  [
    `API key  ${key}`,
    `key id   ${keyId}`,
    `tenant   ${tenantId}`,
    `roles    ${roles.join(', ')}`,
    `expires  ${expiresAt === undefined ? 'never' : toTimeText(expiresAt)}`,
    '',
    'Only its hash is stored: keep the key now, it cannot be shown again.',
    '',
  ].join('\n');

/** A table of keys, without their hashes. `now` in epoch seconds decides what has expired. */
export const describeKeys = (keys: StoredKey[], now: number): string => {
  const rows = keys.map((key) => [
    key.keyId,
    key.name ?? '-',
    key.roles.join(', ') || '-',
    toTimeText(key.createdAt),
    key.expiresAt === undefined ? 'never' : toTimeText(key.expiresAt),
    stateOf(key, now),
  ]);
  const table = [['KEY ID', 'NAME', 'ROLES', 'CREATED', 'EXPIRES', 'STATE'], ...rows];
  const widthOf = (column: number) => Math.max(...table.map((row) => row[column]?.length ?? 0));
  const toLine = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join('  ')
      .trimEnd();
  return table.map((row) => `${toLine(row)}\n`).join('');
};

const stateOf = ({ revokedAt, expiresAt }: StoredKey, now: number): string => {
  if (revokedAt !== undefined) return `revoked ${toTimeText(revokedAt)}`;
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
};

const toTimeText = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().replace('.000Z', 'Z');
