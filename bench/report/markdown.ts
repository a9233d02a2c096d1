const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** A Markdown table. Columns after the first one that hold figures may be set to the right. */
export const markdownTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { right = false }: { right?: boolean } = {},
): string => {
  const rule = head.map((_, column) => (right && column > 0 ? '--:' : '---'));
  return [row(head), `|${rule.join('|')}|`, ...rows.map(row)].join('\n');
};

/** The parts of a section with its heading, apart from each other by empty lines; empty parts are left out. */
export const section = (heading: string, parts: readonly string[]): string =>
  [`## ${heading}`, ...parts.filter((part) => part !== '')].join('\n\n');

/** Points of a list. */
export const points = (texts: readonly string[]): string => texts.map((text) => `- ${text}`).join('\n');
