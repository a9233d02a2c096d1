const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The same text for the same items: no engine promises an order, of items or of their attributes. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).toSorted().join()}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.toSorted().join()}}`;
};
