import {
  type Contents,
  type Item,
  idOf,
  inOrder,
  type TableName,
} from '#test/proof/access/engines/backend.ts';

type Records = Readonly<Record<string, Item>>;

/** What the reference knows: every record of every table under its key, and the time. */
export type State = Readonly<Record<TableName, Records>> & {
  /** Epoch milliseconds. */
  readonly now: number;
};

export const emptyState = (now: number): State => ({ apiKeys: {}, spaces: {}, files: {}, now });

/** The record under the key that `named` holds. */
export const find = (state: State, table: TableName, named: Item): Item | undefined =>
  state[table][idOf(table, named)];

/** The state with a record put in the place of the one under its key. */
export const withRecord = (state: State, table: TableName, record: Item): State => ({
  ...state,
  [table]: { ...state[table], [idOf(table, record)]: record },
});

/** The state without the record under the key that `named` holds. */
export const withoutRecord = (state: State, table: TableName, named: Item): State => {
  const { [idOf(table, named)]: _, ...rest } = state[table];
  return { ...state, [table]: rest };
};

/** The state as the tables would hold it. */
export const contentsOf = ({ apiKeys, spaces, files }: State): Contents => ({
  apiKeys: inOrder('apiKeys', Object.values(apiKeys)),
  spaces: inOrder('spaces', Object.values(spaces)),
  files: inOrder('files', Object.values(files)),
});
