import { correctPhrase, type Findings, noFindings, type Phrase } from './edits.ts';

/** What the code knows about a row of a table. */
export type Row = {
  /** The text of the first cell. Several rows can have the same one. */
  readonly name: string;
  /** The texts of the other cells. The words of people are undefined. */
  readonly cells: readonly (string | undefined)[];
  /** Phrases in the words of people. */
  readonly phrases?: readonly Phrase[];
};

/** A part of a Markdown page, and what the code knows about it. */
export type Part =
  /** A phrase that the page has once. */
  | { readonly phrase: Phrase }
  /** The rows of the table between two comments with this name. `isOrdered` if their order says something. */
  | { readonly table: string; readonly rows: readonly Row[]; readonly isOrdered?: boolean };

type Cell = { readonly start: number; readonly text: string };
type FoundRow = { readonly cells: readonly Cell[]; readonly end: number };

/** The rows of the table between two comments, and its head. */
const readTable = (page: string, name: string): readonly FoundRow[] => {
  const start = page.indexOf(`<!-- ${name}:`);
  const end = page.indexOf(`<!-- end of ${name} -->`);
  return [...page.matchAll(/^\|.*\|$/gm)]
    .filter(({ index }) => start !== -1 && index > start && index < end)
    .map(({ 0: line, index }) => ({
      end: index + line.length,
      cells: [...line.matchAll(/(?<=\|)[^|]*(?=\|)/g)].map(({ 0: cell, index: column }) => ({
        start: index + column + cell.length - cell.trimStart().length,
        text: cell.trim(),
      })),
    }));
};

const isSame = (row: Row, found: FoundRow) =>
  row.cells.every((cell, index) => cell === undefined || cell === found.cells[index + 1]?.text);

/**
 * The row of the page for each row of the code, or undefined for a new one. Of several rows with one name, first those
 * that are equal belong together, then those that are left. Undefined if these are not as many.
 */
const pairRows = (rows: readonly Row[], found: readonly FoundRow[]) => {
  const pairs = new Map<Row, FoundRow>();
  const isFree = (one: FoundRow) => ![...pairs.values()].includes(one);
  for (const row of rows) {
    const equal = found.find((one) => isFree(one) && isSame(row, one));
    if (equal) pairs.set(row, equal);
  }
  const left = rows.filter((row) => !pairs.has(row));
  const free = found.filter(isFree);
  if (free.length > 0 && free.length !== left.length) return undefined;
  for (const [index, one] of free.entries()) {
    const row = left[index];
    if (row) pairs.set(row, one);
  }
  return pairs;
};

const compareTable = (
  findings: Findings,
  file: string,
  page: string,
  part: Extract<Part, { table: string }>,
) => {
  const { table, rows, isOrdered = false } = part;
  const [head, line, ...found] = readTable(page, table);
  if (!head || !line) {
    findings.wrong.push(`${file} has no table between the comments "${table}"`);
    return;
  }
  const inTable = (name: string) => `${file}, table "${table}", ${name}`;
  const pairs = new Map<Row, FoundRow>();
  for (const name of new Set([
    ...rows.map((row) => row.name),
    ...found.map(({ cells }) => cells[0]?.text ?? ''),
  ])) {
    const ofCode = rows.filter((row) => row.name === name);
    const ofPage = found.filter(({ cells }) => cells[0]?.text === name);
    const paired = pairRows(ofCode, ofPage);
    for (const [row, one] of paired ?? []) pairs.set(row, one);
    const counts = `is in ${ofPage.length} rows, but in ${ofCode.length} in the code. Add or remove a row`;
    const gone = 'has no counterpart in the code. Remove it';
    if (!paired) findings.wrong.push(`${inTable(name)} ${ofCode.length === 0 ? gone : counts}`);
  }
  let previous = line;
  for (const row of rows) {
    const one = pairs.get(row);
    const hasWords = row.cells.includes(undefined);
    if (!one) {
      findings.stale.push(`${inTable(row.name)} is absent`);
      if (hasWords) findings.wordless.push(inTable(row.name));
      const text = `\n|${[row.name, ...row.cells].map((cell) => ` ${cell ?? ''} `).join('|')}|`;
      findings.edits.push({ start: previous.end, end: previous.end, text });
      continue;
    }
    if (isOrdered && one.end < previous.end)
      findings.wrong.push(`${inTable(row.name)} stands too early. Move it down`);
    for (const [index, cell] of row.cells.entries()) {
      const place = one.cells[index + 1] ?? { start: one.end, text: '' };
      if (cell === undefined) {
        if (place.text === '') findings.wordless.push(inTable(row.name));
        else
          for (const phrase of row.phrases ?? [])
            correctPhrase(findings, inTable(row.name), place.text, place.start, phrase);
      } else if (cell !== place.text) {
        findings.stale.push(`${inTable(row.name)}: ${place.text} is ${cell} in the code`);
        findings.edits.push({ start: place.start, end: place.start + place.text.length, text: cell });
      }
    }
    previous = one;
  }
};

/**
 * Compares a Markdown page with the parts of it that the code knows.
 *
 * @param file the name of the page, for people
 */
export const findInMarkdown = (file: string, page: string, parts: readonly Part[]): Findings => {
  const findings = noFindings();
  for (const part of parts)
    if ('phrase' in part) correctPhrase(findings, file, page, 0, part.phrase);
    else compareTable(findings, file, page, part);
  return findings;
};
