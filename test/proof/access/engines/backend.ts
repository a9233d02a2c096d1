import { createHash } from 'node:crypto';
import type { Tables } from '#test/support/tables.ts';

/** A stored record. */
export type Item = Readonly<Record<string, unknown>>;
export type TableName = 'apiKeys' | 'spaces' | 'files';
export type Contents = Readonly<Record<TableName, readonly Item[]>>;

/** Three tables that a handler can be started over: the real engine, or its stand-in in memory. */
export type Backend = Pick<Tables, 'client' | 'config'> & {
  readonly put: (table: TableName, item: Item) => Promise<void>;
  /** @param item names the record by its key attributes; the others do not matter */
  readonly remove: (table: TableName, item: Item) => Promise<void>;
  /** Every record of every table, ordered by key. */
  readonly everything: () => Promise<Contents>;
};

/** The key attributes of each table (docs/contract.md, "Tables"). */
const keyAttributes: Readonly<Record<TableName, readonly string[]>> = {
  apiKeys: ['keyHash'],
  spaces: ['tenantId', 'spaceId'],
  files: ['spaceId', 'fileId'],
};

export const keyOf = (table: TableName, item: Item): Item =>
  Object.fromEntries(keyAttributes[table].map((name) => [name, item[name]]));

/** The key of a record as one text that no other key of its table has. */
export const idOf = (table: TableName, item: Item): string =>
  JSON.stringify(Object.values(keyOf(table, item)));

export const inOrder = (table: TableName, items: readonly Item[]): readonly Item[] =>
  items
    .map((item) => ({ id: idOf(table, item), item }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ item }) => item);

/** Under what the API keys table knows a key: hex SHA-256 of it. */
export const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');
