import type { Snapshot } from './history.ts';

type Item = Readonly<Record<string, unknown>>;

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const inOrder = (item: Item) => Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
/** The same text for the same attributes, in whatever order they and those within them come. */
const toText = (item: Item) =>
  JSON.stringify(item, (_, value: unknown) => (isItem(value) ? inOrder(value) : value));
const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);

/** What an answer shows of a file. */
export const toSnapshot = ({ summary, documentKind, ...rest }: Item): Snapshot => ({
  summary: textOrNull(summary),
  documentKind: textOrNull(documentKind),
  rest: toText(rest),
});

/** A stored record: what an answer shows of it, its bookkeeping, and all that it holds beyond. */
export const readRecord = (record: Item, shown: readonly string[]) => {
  const { version, requestId, updatedBy: _, spaceId: __, fileId, ...attributes } = record;
  const entries = Object.entries(attributes);
  const isShown = ([name]: [string, unknown]) => shown.includes(name);
  return {
    snapshot: toSnapshot({ id: fileId, ...Object.fromEntries(entries.filter(isShown)) }),
    version: Number(version ?? 0),
    requestId: String(requestId ?? ''),
    hidden: toText(Object.fromEntries(entries.filter((entry) => !isShown(entry)))),
  };
};
