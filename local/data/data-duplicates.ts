import type { Data } from './data.ts';

/** Says which record has the table key of an earlier one, or undefined when none has. Names places, never values. */
export const duplicateIn = ({ apiKeys, spaces, files }: Data): string | undefined =>
  repeated('apiKeys', 'key', apiKeys, ({ key }) => [key]) ??
  repeated('spaces', 'tenantId and spaceId', spaces, ({ tenantId, spaceId }) => [tenantId, spaceId]) ??
  repeated('files', 'spaceId and fileId', files, ({ spaceId, fileId }) => [spaceId, fileId]);

const repeated = <Item>(
  list: string,
  attributes: string,
  items: Item[],
  keyOf: (item: Item) => string[],
): string | undefined => {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const key = JSON.stringify(keyOf(item));
    const earlier = seen.get(key);
    if (earlier !== undefined) return `${list}[${index}] has the same ${attributes} as ${list}[${earlier}]`;
    seen.set(key, index);
  }
  return undefined;
};
