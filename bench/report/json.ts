type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * JSON that is the same for the same data: keys sorted, numbers rounded to three decimals, each list of numbers on one
 * line, a newline at the end.
 */
export const toStableJson = (data: Json): string => `${render(data, '')}\n`;

const render = (data: Json, indent: string): string => {
  if (typeof data === 'number') return String(Math.round(data * 1000) / 1000);
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const inner = `${indent}  `;
  if (isList(data)) return renderList(data, inner, indent);
  const lines = Object.entries(data)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${inner}${JSON.stringify(key)}: ${render(value, inner)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
};

// Array.isArray alone does not narrow a readonly list.
const isList = (data: Json): data is readonly Json[] => Array.isArray(data);

const isNumbers = (data: Json): data is readonly number[] =>
  isList(data) && data.every((value) => typeof value === 'number');

const renderList = (list: readonly Json[], inner: string, indent: string): string => {
  if (isNumbers(list)) return `[${list.map((value) => render(value, '')).join(', ')}]`;
  return `[\n${list.map((value) => `${inner}${render(value, inner)}`).join(',\n')}\n${indent}]`;
};
