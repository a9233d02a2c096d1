/** The headers of a request by lower-case name. A repeated header is one value joined by commas (RFC 9110, 5.3). */
export type RequestHeaders = ReadonlyMap<string, string>;

/** Header fields as an event has them: one value per name, or (format 1.0) all of them. */
export type HeaderFields = Readonly<Record<string, string | null | undefined>>;
export type MultiHeaderFields = Readonly<Record<string, readonly string[] | null | undefined>>;

/**
 * Gathers the headers of an event, whatever their letter case. Two spellings of one name are a repetition; a value
 * that stands in both forms is not.
 */
export const readHeaders = (single: HeaderFields, multi: MultiHeaderFields): RequestHeaders => {
  const lists = new Map<string, string[]>();
  const add = (name: string, values: readonly string[]) =>
    lists.set(name.toLowerCase(), [...(lists.get(name.toLowerCase()) ?? []), ...values]);

  for (const [name, values] of Object.entries(multi)) add(name, values ?? []);
  const inMulti = new Map(lists);
  for (const [name, value] of Object.entries(single))
    if (typeof value === 'string' && !inMulti.get(name.toLowerCase())?.includes(value)) add(name, [value]);

  return new Map(
    [...lists].filter(([, values]) => values.length > 0).map(([name, values]) => [name, values.join()]),
  );
};
