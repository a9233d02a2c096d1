/** What stands for a placeholder; undefined where there is nothing. */
export type LookUp = (name: string) => string | undefined;

/** `{userId}`, or `{userId|swapped}` for one of the forms below. */
const placeholder = /\{([a-zA-Z.]+)(?:\|([a-z]+))?\}/g;

const swapCase = (text: string): string =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');

const percentEncode = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

type Encode = (text: string) => string;
const asItIs: Encode = (text) => text;

/** Undefined where there is no such value, or no such form of it. */
const shape = (value: string | undefined, form: string | undefined, encode: Encode): string | undefined => {
  if (value === undefined || form === undefined) return value === undefined ? value : encode(value);
  // Without a letter there is no other spelling.
  if (form === 'swapped') return swapCase(value) === value ? undefined : encode(swapCase(value));
  if (form === 'percent') return percentEncode(value);
  return form === 'twice' ? percentEncode(value).replaceAll('%', '%25') : undefined;
};

/** Puts values in the place of placeholders. One without a value stays as it stands. */
export const fill = (template: string, lookUp: LookUp, encode: Encode = asItIs): string =>
  template.replace(
    placeholder,
    (all, name: string, form: string | undefined) => shape(lookUp(name), form, encode) ?? all,
  );

/** The placeholders of a text that have no value. */
export const unfilled = (template: string, lookUp: LookUp): readonly string[] =>
  [...template.matchAll(placeholder)]
    .filter(([, name = '', form]) => shape(lookUp(name), form, asItIs) === undefined)
    .map(([all]) => all);
