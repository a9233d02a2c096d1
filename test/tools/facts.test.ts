import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findInContract } from '#tools/facts/contract.ts';
import { applyEdits, noFindings } from '#tools/facts/edits.ts';
import { type CodeFacts, factsOfCode } from '#tools/facts/facts.ts';
import { findInOpenapi } from '#tools/facts/openapi.ts';
import { projectRoot } from '#tools/project.ts';

const openapi = readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8');
const contract = readFileSync(join(projectRoot, 'docs', 'contract.md'), 'utf8');

/** Replaces a part of a text, which must be there. */
const withPart = (text: string, part: string, other: string): string => {
  expect(text).toContain(part);
  return text.replace(part, () => other);
};
/** What people may change. */
const byHand: readonly (readonly [title: string, part: string, other: string])[] = [
  [
    'a comment on a line of its own',
    '    FileMetadata:\n',
    '    # As responses show it.\n    FileMetadata:\n',
  ],
  ['a comment behind a value', 'maxLength: 128', 'maxLength: 128 # characters'],
  ['a blank line', '    FilePatch:\n', '\n    FilePatch:\n'],
  [
    'a list on one line',
    'enum:\n          - space-not-found\n          - file-not-found\n',
    'enum: [space-not-found, file-not-found]\n',
  ],
  [
    'a mapping on one line',
    'schema:\n        type: string\n        const: no-store\n',
    'schema: { type: string, const: no-store }\n',
  ],
  [
    'a field on one line',
    `documentKind:
          type:
            - string
            - 'null'
          description: Kind of document. At most 256 characters.
          maxLength: 256
          examples:
            - guide
`,
    "documentKind: { type: [string, 'null'], description: 'In 256 characters.', maxLength: 256, examples: [guide] }\n",
  ],
  [
    'a list that is not indented',
    'required:\n        - key\n        - value\n        - aiExtracted\n',
    'required:\n      - key\n      - value\n      - aiExtracted\n',
  ],
  ['other quotes', "'Check 6: the space has no such file'", '"Check 6: the space has no such file"'],
  ['a status without quotes', "        '404':\n", '        404:\n'],
  [
    'the order of keys',
    'description: Short summary of the content. At most 10000 characters.\n          maxLength: 10000\n',
    'maxLength: 10000\n          description: Short summary of the content. At most 10000 characters.\n',
  ],
  ['the words around a number', 'It has at most 128 characters', 'It is a text of 1 to 128 characters'],
  ['a number that begins a line', 'of at most 131072 bytes,', 'of at most\n          131072 bytes,'],
  [
    'a text in lines',
    'description: Number of chunks of the document.',
    'description: >-\n            Number of chunks\n            of the document.',
  ],
  ['an annotation', 'format: uuid', 'format: uuid\n          readOnly: true\n          x-order: 1'],
  ['a component', '    CallerId:\n', '    Other: { type: string }\n    CallerId:\n'],
  ['the words about an error', 'Check 6: If-Match is malformed', 'Check 6: If-Match is no list of etags'],
];
const allByHand = byHand.reduce((text, [, part, other]) => withPart(text, part, other), openapi);

const { patch, view, errors, values } = factsOfCode;
const withField = (schema: CodeFacts['patch'], name: string, field: object): CodeFacts['patch'] => ({
  ...schema,
  properties: { ...schema.properties, [name]: { ...field } },
});
const withErrors = (to: (error: CodeFacts['errors'][number]) => object): Partial<CodeFacts> => ({
  errors: errors.map((error) => ({ ...error, ...to(error) })),
});

/** Other values of facts that the documents have. */
const changes: readonly (readonly [title: string, facts: Partial<CodeFacts>])[] = [
  ['the version', { version: '1.2.0' }],
  [
    'each limit',
    {
      limits: {
        apiKey: 500,
        callerId: 64,
        pathIdBytes: 512,
        contentType: 99,
        etags: 10,
        idempotencyKey: 32,
        bodyBytes: 9,
        recentWrites: 12,
        freeBytes: 640,
      },
    },
  ],
  [
    'the limit of a field',
    { patch: withField(patch, 'documentKind', { type: ['string', 'null'], maxLength: 8 }) },
  ],
  [
    'a message',
    withErrors(({ example }) => (example === 'file-not-found' ? { message: 'No file, today: none' } : {})),
  ],
  ['the number of a check', withErrors((error) => (error.check === 6 ? { check: 7 } : {}))],
  ['the roles that grant', { roles: { granting: ['admin'], others: ['editor', 'viewer'] } }],
];

/** New facts, the lines that they add, and the places where people then write. */
const additions: readonly (readonly [
  title: string,
  facts: Partial<CodeFacts>,
  lines: { readonly yaml: readonly string[]; readonly page: readonly string[] },
  wordless: { readonly yaml: readonly string[]; readonly page: readonly string[] },
])[] = [
  [
    'a field',
    {
      patch: withField(patch, 'title', { type: ['string', 'null'], maxLength: 120 }),
      view: {
        ...withField(view, 'title', { type: ['string', 'null'] }),
        required: [...(view.required ?? []), 'title'],
      },
      values: { ...values, file: Object.assign({ title: 'Start here' }, values.file) },
    },
    {
      yaml: [
        '        title:',
        '          type:',
        '            - string',
        "            - 'null'",
        '          maxLength: 120',
        '          examples:',
        '            - Start here',
        '        title:',
        '          type:',
        '            - string',
        "            - 'null'",
        '          examples:',
        '            - Start here',
        '        - title',
      ],
      page: ['| `title` | string or null | string of at most 120 characters or null |'],
    },
    {
      yaml: [
        'openapi.yaml: components.schemas.FilePatch.properties.title.description',
        'openapi.yaml: components.schemas.FileMetadata.properties.title.description',
      ],
      page: [],
    },
  ],
  [
    'an error',
    {
      errors: errors.toSpliced(-2, 0, {
        code: 'file-changed',
        check: 6,
        example: 'file-locked',
        says: [],
        status: 423,
        message: 'File is locked: later',
        headers: { 'x-error-code': 'file-changed', 'x-lock': 'a' },
      }),
    },
    {
      yaml: [
        "        '423':",
        "          description: ''",
        '          headers:',
        '            x-request-id:',
        "              $ref: '#/components/headers/RequestId'",
        '            x-error-code:',
        "              $ref: '#/components/headers/ErrorCode423'",
        '            x-lock:',
        "              $ref: '#/components/headers/Lock'",
        '          content:',
        '            application/json:',
        '              schema:',
        "                $ref: '#/components/schemas/ErrorResponse'",
        '              examples:',
        '                file-locked:',
        "                  summary: 'Check 6:'",
        '                  value:',
        "                    message: 'File is locked: later'",
        '    Lock:',
        "      description: ''",
        '    ErrorCode423:',
        "      description: ''",
        '      schema:',
        '        type: string',
        '        enum:',
        '          - file-changed',
        '      example: file-changed',
      ],
      page: ['| `file-changed` |  | 423 | `File is locked: later`, with `x-lock` |'],
    },
    {
      yaml: [
        "openapi.yaml: paths.'/v1/spaces/{spaceId}/files/{fileId}'.patch.responses.423.description",
        "openapi.yaml: paths.'/v1/spaces/{spaceId}/files/{fileId}'.patch.responses.423.content.'application/json'.examples.file-locked.summary",
        'openapi.yaml: components.headers.Lock.description',
        'openapi.yaml: components.headers.ErrorCode423.description',
      ],
      page: ['docs/contract.md, table "responses", row `file-changed`'],
    },
  ],
];

/** Both documents after all corrections. */
const write = (facts: CodeFacts, { yaml = openapi, page = contract } = {}) => ({
  yaml: applyEdits(yaml, findInOpenapi(yaml, facts).edits),
  page: applyEdits(page, findInContract(page, facts).edits),
});
/** The lines that were added to a text. Fails if another line has changed. */
const addedLines = (before: string, after: string): readonly string[] => {
  const known = before.split('\n');
  const added = after.split('\n').filter((line) => {
    const isKnown = line === known[0];
    if (isKnown) known.shift();
    return !isKnown;
  });
  expect(known).toStrictEqual([]);
  return added;
};

test('openapi.yaml and docs/contract.md say what the code does', () => {
  expect(findInOpenapi(openapi, factsOfCode)).toStrictEqual(noFindings());
  expect(findInContract(contract, factsOfCode)).toStrictEqual(noFindings());
});

test.each(byHand)('people may change %s', (_, part, other) => {
  expect(findInOpenapi(withPart(openapi, part, other), factsOfCode)).toStrictEqual(noFindings());
});

test.each(changes)(
  'after another value of %s, nothing is stale, and all words are as they were',
  (_, changed) => {
    const facts = { ...factsOfCode, ...changed };
    for (const yaml of [openapi, allByHand]) {
      const after = write(facts, { yaml });
      expect(after).not.toStrictEqual({ yaml, page: contract });
      expect(findInOpenapi(after.yaml, facts)).toStrictEqual(noFindings());
      expect(findInContract(after.page, facts)).toStrictEqual(noFindings());
      expect(write(factsOfCode, after)).toStrictEqual({ yaml, page: contract });
    }
  },
);

test.each(additions)(
  '%s is added, and the places are named that lack words',
  (_, changed, lines, wordless) => {
    const facts = { ...factsOfCode, ...changed };
    const { yaml, page } = write(facts);
    expect({ yaml: addedLines(openapi, yaml), page: addedLines(contract, page) }).toStrictEqual(lines);
    expect(findInContract(page, facts)).toStrictEqual({ ...noFindings(), wordless: wordless.page });
    for (const text of [yaml, write(facts, { yaml: allByHand }).yaml])
      expect(findInOpenapi(text, facts)).toStrictEqual({ ...noFindings(), wordless: wordless.yaml });
    expect(addedLines(allByHand, write(facts, { yaml: allByHand }).yaml)).toStrictEqual(lines.yaml);
  },
);

test('a list can become one value, and one value a list', () => {
  const facts = {
    ...factsOfCode,
    patch: withField(patch, 'documentKind', { type: 'string', maxLength: 256 }),
  };
  for (const yaml of [openapi, allByHand]) {
    const after = write(facts, { yaml }).yaml;
    expect(findInOpenapi(after, facts)).toStrictEqual(noFindings());
    expect(findInOpenapi(write(factsOfCode, { yaml: after }).yaml, factsOfCode)).toStrictEqual(noFindings());
  }
});

const answer = "paths.'/v1/spaces/{spaceId}/files/{fileId}'.patch.responses";
const examples = "content.'application/json'.examples";
const gone = 'has no counterpart in the code. Remove it';
test.each<[title: string, facts: Partial<CodeFacts>, yaml: string, wrong: readonly string[]]>([
  [
    'a field that is gone',
    { patch: { ...patch, properties: { summary: { ...patch.properties['summary'] } } } },
    openapi,
    [`components.schemas.FilePatch.properties.documentKind ${gone}`],
  ],
  [
    'a code that is gone',
    { errors: errors.filter(({ code }) => code !== 'file-too-large') },
    openapi,
    [`${answer}.413.${examples}.file-too-large ${gone}`],
  ],
  [
    'a status that is gone',
    { errors: errors.filter(({ status }) => status !== 422) },
    openapi,
    [
      `${answer}.422.${examples}.idempotency-key-reused ${gone}`,
      `${answer}.422.headers.x-request-id ${gone}`,
      `${answer}.422.headers.cache-control ${gone}`,
      `${answer}.422.headers.x-content-type-options ${gone}`,
      `${answer}.422.headers.x-error-code ${gone}`,
      `components.headers.ErrorCode422 ${gone}`,
    ],
  ],
  [
    'a rule that the code does not have',
    {},
    withPart(openapi, 'format: uuid', 'minLength: 36'),
    [`components.schemas.FileMetadata.properties.id.minLength ${gone}`],
  ],
  [
    'a number in another form',
    {},
    withPart(openapi, '131072 bytes', '131,072 bytes'),
    [
      "paths.'/v1/spaces/{spaceId}/files/{fileId}'.patch.requestBody.description must have this once: 131072 bytes",
    ],
  ],
  [
    'a number that occurs twice',
    {},
    withPart(openapi, 'to 100 etags.', 'to 100 etags, which are 100 etags.'),
    ['components.parameters.IfMatch.description must have this once: 100 etags'],
  ],
  [
    'a comment in a list that changes',
    { view: { ...view, required: ['id'] } },
    withPart(openapi, '        - summary\n', '        - summary # or null\n'),
    ['components.schemas.FileMetadata.required has a comment. Change it to [ id ] by hand'],
  ],
  [
    'a mapping that is none',
    {},
    withPart(openapi, '    CallerId:\n', '    CallerId: none\n    Other:\n'),
    ['components.schemas.CallerId must be a mapping'],
  ],
])('%s is for people to correct in openapi.yaml', (_, changed, yaml, wrong) => {
  const found = findInOpenapi(yaml, { ...factsOfCode, ...changed });
  expect(found.wrong).toStrictEqual(wrong.map((sentence) => `openapi.yaml: ${sentence}`));
});

test.each<[title: string, facts: Partial<CodeFacts>, page: string, wrong: readonly string[]]>([
  [
    'a field that is gone',
    {},
    withPart(contract, '| `tags` |', '| `marks` |'),
    [`docs/contract.md, table "fields", row \`marks\` ${gone}`],
  ],
  [
    'an error that is gone, of several with one code',
    { errors: errors.filter(({ example }) => example !== 'too-long') },
    contract,
    [
      'docs/contract.md, table "responses", row `patch-invalid` is there 7 times, and 6 times in the code. Add or remove one',
    ],
  ],
  [
    'a check that is later in the code',
    { errors: [...errors.slice(1), ...errors.slice(0, 1)] },
    contract,
    ['docs/contract.md, table "responses", row `user-id-missing` stands too early. Move it down'],
  ],
  [
    'a table without its comment',
    {},
    withPart(contract, '<!-- end of limits -->', ''),
    ['docs/contract.md has no table between the comments "limits"'],
  ],
  [
    'a sentence without its number',
    {},
    withPart(contract, 'remembers its last 8 updates', 'remembers some updates'),
    ['docs/contract.md must have this once: remembers its last 8 updates'],
  ],
])('%s is for people to correct in docs/contract.md', (_, changed, page, wrong) => {
  expect(findInContract(page, { ...factsOfCode, ...changed }).wrong).toStrictEqual(wrong);
});

test('an error of a code that several others have is added at its place', () => {
  const at = errors.findIndex(({ example }) => example === 'too-long');
  const added = errors
    .slice(at, at + 1)
    .map((error) => ({ ...error, example: 'too-short', message: 'Too short' }));
  const { page } = write({ ...factsOfCode, errors: errors.toSpliced(at, 0, ...added) });
  const next = '| `patch-invalid` | a value is too long |';
  expect(page).toBe(withPart(contract, next, `| \`patch-invalid\` |  | 400 | \`Too short\` |\n${next}`));
});
