import { isDeepStrictEqual } from 'node:util';
import { type Contents, type Item, idOf, type TableName } from './backend.ts';

const tableNames: readonly TableName[] = ['apiKeys', 'spaces', 'files'];

const byId = (table: TableName, items: readonly Item[]) =>
  new Map(items.map((item) => [`${table}${idOf(table, item)}`, item]));

/** Every record that was changed, made or removed, as `files["handbook","f1"]`. */
export const differencesBetween = (before: Contents, after: Contents): readonly string[] =>
  tableNames.flatMap((table) => {
    const old = byId(table, before[table]);
    const now = byId(table, after[table]);
    return [...new Set([...old.keys(), ...now.keys()])].filter(
      (id) => !isDeepStrictEqual(old.get(id), now.get(id)),
    );
  });
