/** A value in DynamoDB's own JSON, as far as our records hold any. */
type Attribute =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly L: readonly Attribute[] }
  | { readonly M: Item };

/** An item in DynamoDB's own JSON. */
export type Item = { readonly [name: string]: Attribute };

const plainOf = (attribute: Attribute): unknown => {
  if ('S' in attribute) return attribute.S;
  if ('N' in attribute) return Number(attribute.N);
  if ('BOOL' in attribute) return attribute.BOOL;
  return 'L' in attribute ? attribute.L.map(plainOf) : fromItem(attribute.M);
};

/** Plain values. */
export const fromItem = (item: Item): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, attribute]) => [name, plainOf(attribute)]));

/** Strings in DynamoDB's own JSON. */
export const toItem = (strings: Readonly<Record<string, unknown>>): Item =>
  Object.fromEntries(Object.entries(strings).map(([name, text]) => [name, { S: String(text) }]));
