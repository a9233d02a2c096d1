import type { World } from '../world.ts';

/** The API keys of a world. */
export const keysOf = ({ apiKeys }: World): readonly string[] =>
  Object.values(apiKeys).filter((key) => key !== undefined);

/** Puts `{apiKeys.editor}` in the place of the key itself. The longest first: one key may be part of another. */
export const createMask = ({ apiKeys }: World): ((text: string) => string) => {
  const named = Object.entries(apiKeys).flatMap(([name, key]) =>
    key === undefined ? [] : [[`{apiKeys.${name}}`, key] as const],
  );
  const longestFirst = named.toSorted(([, one], [, other]) => other.length - one.length);
  return (text) => longestFirst.reduce((masked, [name, key]) => masked.replaceAll(key, () => name), text);
};
