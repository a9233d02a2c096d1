import { printable } from '../terminal.ts';
import { expiryText, stateOf, stateText, toTimeText } from './state.ts';
import type { StoredKey } from './store.ts';

const toLines = (facts: [string, string][]): string =>
  facts.map(([label, fact]) => `${label.padEnd(9)}${printable(fact)}\n`).join('');

/** What is told of a new key: the only time its plain text is seen. */
export const describeNewKey = (key: string, { keyId, tenantId, roles, expiresAt }: StoredKey): string =>
  `${toLines([
    ['API key', key],
    ['key id', keyId],
    ['tenant', tenantId],
    ['roles', roles.join(', ')],
    ['expires', expiryText(expiresAt)],
  ])}\nOnly its hash is stored: keep the key now, it cannot be shown again.\n`;

/** Whose key it is and what became of it. `now` in epoch seconds, here and below. */
export const describeKey = (key: StoredKey, now: number): string =>
  toLines([
    ['key id', key.keyId],
    ['tenant', key.tenantId],
    ['name', key.name ?? '-'],
    ['roles', key.roles.join(', ') || '-'],
    ['scope', key.scope],
    ['created', toTimeText(key.createdAt)],
    ['expires', expiryText(key.expiresAt)],
    ['state', stateText(key, now)],
  ]);

type Column = [title: string, cellOf: (key: StoredKey, now: number) => string];

const tenant: Column = ['TENANT', ({ tenantId }) => tenantId];
const columns: Column[] = [
  ['KEY ID', ({ keyId }) => keyId],
  ['NAME', ({ name }) => name ?? '-'],
  ['ROLES', ({ roles }) => roles.join(', ') || '-'],
  ['CREATED', ({ createdAt }) => toTimeText(createdAt)],
  ['EXPIRES', ({ expiresAt }) => expiryText(expiresAt)],
  ['STATE', stateText],
];

/** A table of keys, without their hashes; of one tenant, or with the tenant of each. */
export const describeKeys = (
  keys: StoredKey[],
  { now, ofOneTenant }: { now: number; ofOneTenant: boolean },
): string => {
  const shown = ofOneTenant ? columns : [tenant, ...columns];
  const rows = keys.map((key) => shown.map(([, cellOf]) => printable(cellOf(key, now))));
  const table = [shown.map(([title]) => title), ...rows];
  const widthOf = (column: number) => Math.max(...table.map((row) => row[column]?.length ?? 0));
  const toLine = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join('  ')
      .trimEnd();
  return table.map((row) => `${toLine(row)}\n`).join('');
};

/** The same for machines: an array of objects, times as in the table, absent ones left out. */
export const keysAsJson = (keys: StoredKey[], now: number): string => {
  const timeOf = (time: unknown) => (typeof time === 'number' ? toTimeText(time) : undefined);
  const facts = keys.map(({ keyHash: _, createdAt, expiresAt, revokedAt, ...key }) => ({
    ...key,
    createdAt: timeOf(createdAt),
    expiresAt: timeOf(expiresAt),
    revokedAt: timeOf(revokedAt),
    state: stateOf({ expiresAt, revokedAt }, now),
  }));
  return `${JSON.stringify(facts, null, 2)}\n`;
};
