import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_BODY_BYTES, MAX_CONTENT_TYPE_CHARACTERS } from '#lib/http/read-file-patch.ts';
import {
  MAX_API_KEY_CHARACTERS,
  MAX_ETAGS,
  MAX_ID_CHARACTERS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
} from '#lib/http/request-headers.ts';
import { MIN_FREE_BYTES, RECENT_WRITE_ATTRIBUTES, RECENT_WRITES } from '#lib/store/recent-writes.ts';
import { MAX_KEY_BYTES } from '#lib/store/storable-id.ts';
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

const limits = table([
  ['part of a request', 'at most'],
  ['`x-api-key`', `${MAX_API_KEY_CHARACTERS} characters`],
  ['`x-tenant-id`, `x-user-id`', `${MAX_ID_CHARACTERS} characters`],
  ['`spaceId`, `fileId`', `${MAX_KEY_BYTES} bytes in UTF-8`],
  ['`content-type`', `${MAX_CONTENT_TYPE_CHARACTERS} characters`],
  ['`if-match`', `${MAX_ETAGS} etags`],
  ['`idempotency-key`, without quotes', `${MAX_IDEMPOTENCY_KEY_CHARACTERS} characters`],
  ['body', `${MAX_BODY_BYTES} bytes`],
]);

/** A type in words: `string of at most 256 characters or null`. */
const typeOf = (schema: unknown): string => {
  const { type, enum: values, items, properties, maxLength, maxItems } = Object(schema);
  const [first, ...more] = [type].flat();
  const limit = maxLength === undefined ? '' : ` of at most ${maxLength} characters`;
  let single = `${first}${limit}`;
  if (values) single = `one of ${values.filter((value: unknown) => value !== null).join(', ')}`;
  if (items)
    single = `list of ${typeOf(items)}${maxItems === undefined ? '' : `, at most ${maxItems} of them`}`;
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

const [first, last] = [RECENT_WRITE_ATTRIBUTES.at(0), RECENT_WRITE_ATTRIBUTES.at(-1)];
const texts = {
  limits,
  responses,
  fields,
  'recent writes': `**A file remembers its last ${RECENT_WRITES} updates by this service: \`${first}\` to \`${last}\`, the latest first.**`,
  'free bytes': `Keep at least ${MIN_FREE_BYTES} bytes free of the 400 KB of an item.`,
};

/** Puts a text between the two comments that have its name. The space around it stays. */
const replaceBlock = (page: string, [name, text]: readonly [string, string]): string => {
  const block = new RegExp(`(<!-- ${name}: [^>]*-->\\s+)[^]*?(\\s+<!-- end of ${name} -->)`);
  if (!block.test(page)) throw new UsageError(`docs/contract.md has no comments around "${name}".`);
  return page.replace(block, (_, start, end) => start + text + end);
};

/** docs/contract.md with the tables and sentences of the code. */
export const contractText = Object.entries(texts).reduce(
  replaceBlock,
  readFileSync(join(projectRoot, 'docs', 'contract.md'), 'utf8'),
);
