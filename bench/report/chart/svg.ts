/** Attributes of an element; numbers are rounded to a tenth of a pixel. */
export type Attributes = Readonly<Record<string, string | number>>;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

const attribute = ([name, value]: [string, string | number]): string =>
  ` ${name}="${typeof value === 'number' ? Math.round(value * 10) / 10 : escaped(value)}"`;

/** One element as a string, its children below it. */
export const element = (name: string, attributes: Attributes, children: readonly string[] = []): string => {
  const start = `<${name}${Object.entries(attributes).map(attribute).join('')}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join('\n')}\n</${name}>`;
};

/** An element that holds text, on one line: white space in a text is drawn. */
export const text = (name: string, attributes: Attributes, content: string): string =>
  `<${name}${Object.entries(attributes).map(attribute).join('')}>${escaped(content)}</${name}>`;

/** A line between two points, in pixels. */
export const line = (kind: string, [x1, y1]: Point, [x2, y2]: Point): string =>
  element('line', { class: kind, x1, y1, x2, y2 });

export type Point = readonly [x: number, y: number];
