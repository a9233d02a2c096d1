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
  const headers = new Map<string, string>();
  const add = (name: string, value: string) => {
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  };

  const inMulti = new Set<string>();
  for (const [name, values] of Object.entries(multi))
    for (const value of values ?? []) {
      inMulti.add(`${name.toLowerCase()}:${value}`);
      add(name.toLowerCase(), value);
    }
  for (const [name, value] of Object.entries(single))
    if (typeof value === 'string' && !inMulti.has(`${name.toLowerCase()}:${value}`))
      add(name.toLowerCase(), value);
  return headers;
};
