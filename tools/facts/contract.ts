import type { Findings } from './edits.ts';
import type { CodeFacts } from './facts.ts';
import { findInMarkdown, type Row } from './markdown.ts';

const inCode = (text: string) => `\`${text}\``;

const limitRows = ({ limits }: CodeFacts): readonly Row[] =>
  Object.entries({
    '`x-api-key`': `${limits.apiKey} characters`,
    '`x-tenant-id`, `x-user-id`': `${limits.callerId} characters`,
    '`spaceId`, `fileId`': `${limits.pathIdBytes} bytes in UTF-8`,
    '`content-type`': `${limits.contentType} characters`,
    '`if-match`': `${limits.etags} etags`,
    '`idempotency-key`, without quotes': `${limits.idempotencyKey} characters`,
    body: `${limits.bodyBytes} bytes`,
  }).map(([name, limit]) => ({ name, cells: [limit] }));

/** Headers that are not on every error. */
const ownHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.keys(headers).filter(
    (name) => !['cache-control', 'x-content-type-options', 'x-error-code'].includes(name),
  );

const responseRows = ({ errors }: CodeFacts): readonly Row[] => {
  const toRow = ({ code, says, status, message, headers }: CodeFacts['errors'][number]): Row => {
    const also = ownHeaders(headers).map((name) => `, with ${inCode(name)}`);
    return {
      name: inCode(code),
      cells: [undefined, `${status}`, inCode(message) + also.join('')],
      phrases: says,
    };
  };
  const isServerError = ({ status }: CodeFacts['errors'][number]) => status >= 500;
  return [
    ...errors.filter((error) => !isServerError(error)).map(toRow),
    { name: '`updated`', cells: [undefined, '200', 'the file, with `etag`'] },
    ...errors.filter(isServerError).map(toRow),
  ];
};

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

const fieldRows = ({ view, patch }: CodeFacts): readonly Row[] =>
  Object.entries(view.properties).map(([name, schema]) => ({
    name: inCode(name),
    cells: [
      `${typeOf(schema)}${view.required?.includes(name) ? '' : ', or absent'}`,
      name in patch.properties ? typeOf(patch.properties[name]) : 'read-only',
    ],
  }));

/** Compares docs/contract.md with the code. */
export const findInContract = (page: string, facts: CodeFacts): Findings => {
  const { recentWrites, freeBytes } = facts.limits;
  const { granting, others } = facts.roles;
  return findInMarkdown('docs/contract.md', page, [
    { table: 'limits', rows: limitRows(facts) },
    { table: 'responses', rows: responseRows(facts), isOrdered: true },
    { table: 'fields', rows: fieldRows(facts) },
    { phrase: ['remembers its last # updates', recentWrites] },
    { phrase: ['`w1` to `w#`, the latest first', recentWrites] },
    { phrase: ['at least # bytes free of the 400 KB', freeBytes] },
    { phrase: ['These roles grant `files:update`: #.', granting.map(inCode).join(', ')] },
    { phrase: ['These roles do not: #.', others.map(inCode).join(', ')] },
  ]);
};
