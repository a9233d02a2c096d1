import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '#tools/cli.ts';
import { projectRoot } from '#tools/project.ts';
import { errorRows, fileSchemas } from './openapi.ts';

const table = (rows: readonly (readonly unknown[])[]) =>
  rows
    .toSpliced(1, 0, rows[0]?.map(() => '---') ?? [])
    .map((cells) => `|${cells.map((cell) => (cell === '---' ? cell : ` ${cell} `)).join('|')}|`)
    .join('\n');

const isServerError = ({ status }: { status: number }) => status >= 500;
const toRow = ({ code, when, status, message, headers }: (typeof errorRows)[number]) => {
  const also = headers.map((name) => `, with \`${name}\``).join('');
  return [`\`${code}\``, when, status, `\`${message}\`${also}`];
};
const responses = table([
  ['code', 'when', 'status', 'message'],
  ...errorRows.filter((row) => !isServerError(row)).map(toRow),
  ['`updated`', 'all checks pass', 200, 'the file, with `etag`'],
  ...errorRows.filter(isServerError).map(toRow),
]);

/** A type in words: `string of at most 256 characters or null`. */
const typeOf = (schema: unknown): string => {
  const { type, enum: values, items, properties, maxLength } = Object(schema);
  const [first, ...more] = [type].flat();
  const limit = maxLength === undefined ? '' : ` of at most ${maxLength} characters`;
  let single = `${first}${limit}`;
  if (values) single = `one of ${values.filter((value: unknown) => value !== null).join(', ')}`;
  if (items) single = `list of ${typeOf(items)}`;
  if (properties) single = `\`{${Object.keys(properties).join(', ')}}\``;
  return [single, ...more].join(' or ');
};
const { view, patch } = fileSchemas;
const fields = table([
  ['field', 'in a response', 'in a patch'],
  ...Object.entries(view.properties).map(([name, schema]) => [
    `\`${name}\``,
    `${typeOf(schema)}${view.required?.includes(name) ? '' : ', or absent'}`,
    name in patch.properties ? typeOf(patch.properties[name]) : 'read-only',
  ]),
]);

/** Puts a text between the two comments that have its name. */
const replaceBlock = (page: string, name: string, text: string): string => {
  const block = new RegExp(`(<!-- ${name}: [^>]*-->\n)[^]*?(\n<!-- end of ${name} -->)`);
  if (!block.test(page)) throw new UsageError(`docs/contract.md has no comments around "${name}".`);
  return page.replace(block, (_, start, end) => `${start}\n${text}\n${end}`);
};

const page = readFileSync(join(projectRoot, 'docs', 'contract.md'), 'utf8');
/** docs/contract.md with the tables of the code. */
export const contractText = replaceBlock(replaceBlock(page, 'responses', responses), 'fields', fields);
