/** As wide as the formatter of the project lets a line be. */
const WIDTH = 110;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * JSON that is the same for the same data and passes the project's formatter: keys sorted, numbers rounded to three
 * decimals, a newline at the end. Lists of numbers are filled into lines, for there are hundreds of them.
 */
export const toStableJson = (data: Json): string => `${render(data, '')}\n`;

const render = (data: Json, indent: string): string => {
  if (typeof data === 'number') return String(Math.round(data * 1000) / 1000);
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const inner = `${indent}  `;
  if (isList(data)) return renderList(data, inner, indent);
  const lines = Object.entries(data)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => {
      const name = `${inner}${JSON.stringify(key)}: `;
      const text = render(value, inner);
      return isNumbers(value) && name.length + text.length + 1 > WIDTH
        ? name + filled(value, inner)
        : name + text;
    });
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

/** Numbers below one another, as many to a line as fit. */
const filled = (numbers: readonly number[], indent: string): string => {
  const inner = `${indent}  `;
  const lines: string[] = [];
  for (const number of numbers.map((value) => render(value, ''))) {
    const last = lines.at(-1);
    if (last === undefined || last.length + number.length + 3 > WIDTH) lines.push(`${inner}${number}`);
    else lines.splice(-1, 1, `${last}, ${number}`);
  }
  return `[\n${lines.join(',\n')}\n${indent}]`;
};
