import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findInContract } from '#tools/facts/contract.ts';
import { applyEdits, noFindings } from '#tools/facts/edits.ts';
import { type CodeFacts, factsOfCode } from '#tools/facts/facts.ts';
import { findInMarkdown, type Part, type Row } from '#tools/facts/markdown.ts';
import { findInOpenapi } from '#tools/facts/openapi.ts';
import { type Facts, findInYaml, ifThere, only, sentence } from '#tools/facts/yaml.ts';
import { projectRoot } from '#tools/project.ts';

/** Replaces a part of a text, which must be there. */
const withPart = (text: string, part: string, other: string): string => {
  expect(text).toContain(part);
  return text.replace(part, () => other);
};

const yaml = `# About things.
info:
  version: 1.0.0
thing:
  description: A thing. Its name has at most 20 characters, and it has 5 parts.
  pattern: ^.{1,20}$
  codes:
    - gone
    - unknown
  fields:
    name:
      type: string
      description: The name, of 20 characters.
      maxLength: 20
    kind:
      type:
        - string
        - 'null'
      description: The kind.
  responses:
    '404':
      status: 404
      message: No thing
`;
const aField = (maxLength: number) =>
  only({ type: 'string', description: sentence([['# characters', maxLength]]), maxLength });
const facts = {
  info: { version: '1.0.0' },
  thing: {
    description: sentence([
      ['# characters', 20],
      ['# parts', 5],
    ]),
    pattern: sentence([['{1,#}', 20]]),
    codes: ['gone', 'unknown'],
    fields: only({
      name: aField(20),
      kind: only({ type: ['string', 'null'], description: sentence() }, /^x-/),
    }),
    responses: { '404': { status: 404, message: 'No thing' }, '500': { message: ifThere('Fault') } },
  },
};
/** How people may change the text. No two of these touch each other. */
const byHand: readonly (readonly [title: string, part: string, other: string])[] = [
  ['a comment', '  codes:\n', '  # All of them.\n  codes:\n'],
  ['a comment behind a value', 'version: 1.0.0', 'version: 1.0.0 # the latest'],
  ['a blank line', '    kind:\n', '\n    kind:\n'],
  ['a list on one line', '\n    - gone\n    - unknown\n', ' [gone, unknown]\n'],
  [
    'a list that is not indented',
    "      type:\n        - string\n        - 'null'\n",
    "      type:\n      - 'string'\n      - 'null'\n",
  ],
  [
    'a mapping on one line',
    'name:\n      type: string\n      description: The name, of 20 characters.\n      maxLength: 20\n',
    "name: { type: string, description: 'The name, of 20 characters.', maxLength: 20 }\n",
  ],
  ['quotes', "'404':", '404:'],
  ['the order of keys', 'status: 404\n      message: No thing\n', 'message: No thing\n      status: 404\n'],
  ['the words around a number', 'Its name has at most', 'It has a name of up to'],
  ['lines in a text', '20 characters, and it has 5 parts.', '20\n    characters, and it has 5\n    parts.'],
  ['keys of their own', 'info:\n', 'info:\n  title: Things\n'],
  ['keys of a kind that is theirs', 'The kind.\n', 'The kind.\n      x-order: 1\n'],
];
const allByHand = byHand.reduce((text, [, part, other]) => withPart(text, part, other), yaml);
const write = (text: string, changed: Facts) => applyEdits(text, findInYaml('a.yaml', text, changed).edits);

test.each(byHand)('people may change %s', (_, part, other) => {
  expect(findInYaml('a.yaml', withPart(yaml, part, other), facts)).toStrictEqual(noFindings());
});

const { thing } = facts;
const withThing = (changed: object) => ({ ...facts, thing: { ...thing, ...changed } });
test.each<[title: string, changed: Facts, part: string, other: string, inAll: string, otherInAll: string]>([
  ['a text', { info: { version: '2.0.0' } }, '1.0.0', '2.0.0', '1.0.0', '2.0.0'],
  [
    'a text that needs quotes',
    withThing({ responses: { '404': { message: 'None: no, thing' } } }),
    'No thing',
    "'None: no, thing'",
    'No thing',
    "'None: no, thing'",
  ],
  [
    'the limit of a field',
    withThing({ fields: { name: aField(7) } }),
    'of 20 characters.\n      maxLength: 20',
    'of 7 characters.\n      maxLength: 7',
    "of 20 characters.', maxLength: 20",
    "of 7 characters.', maxLength: 7",
  ],
  [
    'a number in a text',
    withThing({ description: sentence([['# parts', 6]]) }),
    ' 5 ',
    ' 6 ',
    ' 5\n',
    ' 6\n',
  ],
  [
    'a number in a pattern',
    withThing({ pattern: sentence([['{1,#}', 9]]) }),
    '{1,20}',
    '{1,9}',
    '{1,20}',
    '{1,9}',
  ],
  [
    'a list',
    withThing({ codes: ['gone', 'away'] }),
    '    - gone\n    - unknown\n',
    '    - gone\n    - away\n',
    '[gone, unknown]',
    '[ gone, away ]',
  ],
  [
    'a value in place of a list',
    withThing({ fields: { kind: { type: 'string' } } }),
    "type:\n        - string\n        - 'null'\n",
    'type: string\n',
    "type:\n      - 'string'\n      - 'null'\n",
    'type: string\n',
  ],
  [
    'a list in place of a value',
    withThing({ fields: { name: { type: ['string', 'null'] } } }),
    'type: string',
    "type: [ string, 'null' ]",
    'type: string',
    "type: [ string, 'null' ]",
  ],
  [
    'a first key',
    withThing({ fields: { id: { type: 'string', list: [1] }, ...thing.fields.facts } }),
    '    name:',
    '    id:\n      type: string\n      list:\n        - 1\n    name:',
    '    name:',
    '    id:\n      type: string\n      list:\n        - 1\n    name:',
  ],
  [
    'a key in the middle',
    withThing({ fields: { name: { type: 'string', minLength: 1, description: sentence() } } }),
    'type: string\n      desc',
    'type: string\n      minLength: 1\n      desc',
    'type: string, desc',
    'type: string, minLength: 1, desc',
  ],
  [
    'a last key, with a text to complete',
    withThing({ responses: { '404': {}, '409': { message: 'Busy', words: sentence([], 'Step 2:') } } }),
    'No thing\n',
    "No thing\n    '409':\n      message: Busy\n      words: 'Step 2:'\n",
    'status: 404\n',
    "status: 404\n    '409':\n      message: Busy\n      words: 'Step 2:'\n",
  ],
])('%s is corrected, and nothing else changes', (_, changed, part, other, inAll, otherInAll) => {
  expect(write(yaml, changed)).toBe(withPart(yaml, part, other));
  expect(write(allByHand, changed)).toBe(withPart(allByHand, inAll, otherInAll));
  for (const text of [yaml, allByHand])
    expect(findInYaml('a.yaml', write(text, changed), changed)).toMatchObject({
      edits: [],
      stale: [],
      wrong: [],
    });
});

test('a text with a comma keeps its place in a mapping on one line', () => {
  expect(write('a: { b: old, c: 1 }\n', { a: { b: 'x, y' } })).toBe("a: { b: 'x, y', c: 1 }\n");
});

test('each stale place is named', () => {
  const changed = withThing({ codes: ['gone'], responses: { '409': { message: 'Busy' } } });
  expect(findInYaml('a.yaml', yaml, { ...changed, info: { version: '2.0.0' } }).stale).toStrictEqual([
    'a.yaml: info.version is 2.0.0 in the code',
    'a.yaml: thing.codes is [ gone ] in the code',
    'a.yaml: thing.responses.409 is absent',
  ]);
});

test.each<[title: string, changed: Facts, text: string, wordless: readonly string[]]>([
  ['an absent text', withThing({ summary: sentence() }), yaml, ['a.yaml: thing.summary']],
  ['an empty text', facts, withPart(yaml, ': The kind.', ": ''"), ['a.yaml: thing.fields.kind.description']],
  [
    'a text that was only begun',
    { info: { version: sentence([], '1.0.0') } },
    yaml,
    ['a.yaml: info.version'],
  ],
])('%s is named, and is no failure', (_, changed, text, wordless) => {
  expect(findInYaml('a.yaml', text, changed)).toStrictEqual({ ...noFindings(), wordless });
});

const gone = 'has no counterpart in the code. Remove it';
test.each<[title: string, changed: Facts, text: string, wrong: string]>([
  [
    'a key that the code does not have',
    facts,
    withPart(yaml, '    kind:', '    id: 1\n    kind:'),
    `thing.fields.id ${gone}`,
  ],
  [
    'a number in another form',
    facts,
    withPart(yaml, '20 characters, ', '1,020 characters, '),
    'thing.description must have this once: 20 characters',
  ],
  [
    'a number that occurs twice',
    facts,
    withPart(yaml, '5 parts', '5 parts, yes, 5 parts'),
    'thing.description must have this once: 5 parts',
  ],
  [
    'a comment in a list that changes',
    withThing({ codes: [] }),
    withPart(yaml, '- gone', '- gone # away'),
    'thing.codes has a comment. Change it to [] by hand',
  ],
  [
    'a text in place of a mapping',
    { info: { version: { major: 1 } } },
    yaml,
    'info.version must be a mapping',
  ],
])('%s is for people to correct', (_, changed, text, wrong) => {
  expect(findInYaml('a.yaml', text, changed)).toMatchObject({ edits: [], wrong: [`a.yaml: ${wrong}`] });
});

test.each([
  ['a: 1\nb: [', /^a\.yaml: .* at line 2, column 5/],
  ['a: *unknown', /^a\.yaml: Unresolved alias .*: unknown$/],
])('%j is no YAML', (text, message) => {
  expect(() => findInYaml('a.yaml', text, {})).toThrow(message);
});

const page = `# Page

The page has 3 rows. Roles: \`a\`, \`b\`.

<!-- errors: from the code -->

| code | when | status |
|---|---|---|
| \`x\` | first, above 9 bytes | 400 |
| \`y\` | then | 401 |
| \`y\` |  then,   padded  |   402   |

<!-- end of errors -->
`;
const rows: readonly Row[] = [
  { name: '`x`', cells: [undefined, '400'], phrases: [['above # bytes', 9]] },
  { name: '`y`', cells: [undefined, '401'] },
  { name: '`y`', cells: [undefined, '402'] },
];
const partsOf = (changed = rows): readonly Part[] => [
  { phrase: ['has # rows', 3] },
  { phrase: ['Roles: #.', '`a`, `b`'] },
  { table: 'errors', rows: changed, isOrdered: true },
];

test('a page with all facts of the code is not stale', () => {
  expect(findInMarkdown('a.md', page, partsOf())).toStrictEqual(noFindings());
});

test.each<[title: string, parts: readonly Part[], part: string, other: string]>([
  ['a number', [{ phrase: ['has # rows', 4] }], '3 rows', '4 rows'],
  ['names', [{ phrase: ['Roles: #.', '`a`, `c`'] }], '`a`, `b`', '`a`, `c`'],
  [
    'a number in a row',
    partsOf([
      { ...rows[0], name: '`x`', cells: [undefined, '400'], phrases: [['above # bytes', 8]] },
      ...rows.slice(1),
    ]),
    '9 bytes',
    '8 bytes',
  ],
  ['a cell', partsOf(rows.with(0, { name: '`x`', cells: [undefined, '409'] })), '| 400', '| 409'],
  [
    'one of two rows with one name',
    partsOf(rows.with(2, { name: '`y`', cells: [undefined, '4'] })),
    '  402  ',
    '  4  ',
  ],
  [
    'a row',
    partsOf(rows.toSpliced(1, 0, { name: '`z`', cells: [undefined, '404'] })),
    '| `y` | then |',
    '| `z` |  | 404 |\n| `y` | then |',
  ],
  [
    'a row between two with its name',
    partsOf(rows.toSpliced(2, 0, { name: '`y`', cells: [undefined, '4'] })),
    '| `y` |  then',
    '| `y` |  | 4 |\n| `y` |  then',
  ],
  [
    'a first row',
    partsOf([{ name: '`z`', cells: [undefined, '404'] }, ...rows]),
    '| `x`',
    '| `z` |  | 404 |\n| `x`',
  ],
])('%s of a page is corrected, and nothing else changes', (_, parts, part, other) => {
  const after = applyEdits(page, findInMarkdown('a.md', page, parts).edits);
  expect(after).toBe(withPart(page, part, other));
  expect(findInMarkdown('a.md', after, parts)).toMatchObject({ edits: [], stale: [], wrong: [] });
});

test.each<[title: string, changed: readonly Row[], text: string, wrong: string]>([
  ['a row that is gone', rows.slice(1), page, `, table "errors", \`x\` ${gone}`],
  [
    'one of two rows that is gone',
    rows.slice(0, 2),
    page,
    ', table "errors", `y` is in 2 rows, but in 1 in the code. Add or remove a row',
  ],
  [
    'another order',
    [...rows.slice(1), ...rows.slice(0, 1)],
    page,
    ', table "errors", `x` stands too early. Move it down',
  ],
  [
    'a comment that is gone',
    rows,
    withPart(page, '<!-- end of errors -->', ''),
    ' has no table between the comments "errors"',
  ],
  ['words that are gone', rows, withPart(page, 'has 3 rows', 'is long'), ' must have this once: has 3 rows'],
])('%s of a page is for people to correct', (_, changed, text, wrong) => {
  expect(findInMarkdown('a.md', text, partsOf(changed)).wrong).toStrictEqual([`a.md${wrong}`]);
});

test('a row without words is named', () => {
  const text = withPart(page, '| then |', '|  |');
  expect(findInMarkdown('a.md', text, partsOf())).toStrictEqual({
    ...noFindings(),
    wordless: ['a.md, table "errors", `y`'],
  });
});

const openapi = readFileSync(join(projectRoot, 'openapi.yaml'), 'utf8');
const contract = readFileSync(join(projectRoot, 'docs', 'contract.md'), 'utf8');
/** Both documents, with all corrections. */
const correct = (changed: CodeFacts, before = { openapi, contract }) => ({
  openapi: applyEdits(before.openapi, findInOpenapi(before.openapi, changed).edits),
  contract: applyEdits(before.contract, findInContract(before.contract, changed).edits),
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

test('openapi.yaml and docs/contract.md have the facts of the code', () => {
  const upToDate = { edits: [], stale: [], wrong: [] };
  expect(findInOpenapi(openapi, factsOfCode)).toMatchObject(upToDate);
  expect(findInContract(contract, factsOfCode)).toMatchObject(upToDate);
});

const { patch, view, limits, values } = factsOfCode;
const limitsPlusOne = {
  apiKey: limits.apiKey + 1,
  callerId: limits.callerId + 1,
  pathIdBytes: limits.pathIdBytes + 1,
  contentType: limits.contentType + 1,
  etags: limits.etags + 1,
  idempotencyKey: limits.idempotencyKey + 1,
  bodyBytes: limits.bodyBytes + 1,
  recentWrites: limits.recentWrites + 1,
  freeBytes: limits.freeBytes + 1,
};
test.each<
  [
    title: string,
    change: (facts: CodeFacts) => Partial<CodeFacts>,
    inPages: { openapi: boolean; contract: boolean },
  ]
>([
  ['the version', () => ({ version: '100.0.0' }), { openapi: true, contract: false }],
  ['each limit', () => ({ limits: limitsPlusOne }), { openapi: true, contract: true }],
  [
    'each message',
    ({ errors }) => ({ errors: errors.map((error) => ({ ...error, message: `${error.message}!` })) }),
    { openapi: true, contract: true },
  ],
  [
    'the number of each check',
    ({ errors }) => ({
      errors: errors.map(({ check, ...error }) => ({ ...error, check: check && check + 1 })),
    }),
    { openapi: true, contract: false },
  ],
  [
    'the roles that grant',
    () => ({ roles: { granting: ['admin'], others: ['editor', 'viewer'] } }),
    { openapi: false, contract: true },
  ],
])('%s is corrected in the documents, and then as it was', (_, change, inPages) => {
  const other = { ...factsOfCode, ...change(factsOfCode) };
  const after = correct(other);
  const differs = { openapi: after.openapi !== openapi, contract: after.contract !== contract };
  expect(differs).toStrictEqual(inPages);
  expect(findInOpenapi(after.openapi, other)).toMatchObject({ edits: [], stale: [], wrong: [] });
  expect(findInContract(after.contract, other)).toMatchObject({ edits: [], stale: [], wrong: [] });
  expect(correct(factsOfCode, after)).toStrictEqual({ openapi, contract });
});

test('another operation has the facts of the errors that people have listed for it', () => {
  const path = '  /v1/spaces/{spaceId}/files/{fileId}:\n';
  const operation = `    parameters: []
    delete:
      responses:
        '204': { description: Deleted. }
        '401':
          description: No.
          content:
            application/json:
              examples:
                api-key-invalid:
                  summary: 'Check 9: no key'
                  value:
                    message: Wrong
`;
  const before = withPart(openapi, path, path + operation);
  const { wrong, stale } = findInOpenapi(before, factsOfCode);
  const responses = "openapi.yaml: paths.'/v1/spaces/{spaceId}/files/{fileId}'.delete.responses";
  expect({ wrong, stale }).toStrictEqual({
    wrong: [],
    stale: [
      `${responses}.401.headers is absent`,
      `${responses}.401.content.'application/json'.schema is absent`,
      `${responses}.401.content.'application/json'.examples.api-key-invalid.value.message is Invalid API Key in the code`,
    ],
  });
  const after = correct(factsOfCode, { openapi: before, contract }).openapi;
  expect(findInOpenapi(after, factsOfCode)).toMatchObject({ edits: [], stale: [], wrong: [] });
  expect(findInOpenapi(after.replace('api-key-invalid:', 'api-key-gone:'), factsOfCode).wrong[0]).toBe(
    `${responses}.401.content.'application/json'.examples.api-key-gone has no counterpart in the code. Remove it`,
  );
});

test('a field that a patch can set is added to both documents', () => {
  const withRemark = (schema: CodeFacts['patch'], field: object) => ({
    ...schema,
    properties: { ...schema.properties, remark: { ...field } },
  });
  const after = correct({
    ...factsOfCode,
    patch: withRemark(patch, { type: ['string', 'null'], maxLength: 120 }),
    view: {
      ...withRemark(view, { type: ['string', 'null'] }),
      required: [...(view.required ?? []), 'remark'],
    },
    values: { ...values, file: Object.assign({ remark: 'New' }, values.file) },
  });
  expect(addedLines(openapi, after.openapi)).toStrictEqual([
    '        remark:',
    '          type:',
    '            - string',
    "            - 'null'",
    '          maxLength: 120',
    '          examples:',
    '            - New',
    '        remark:',
    '          type:',
    '            - string',
    "            - 'null'",
    '          examples:',
    '            - New',
    '        - remark',
  ]);
  expect(addedLines(contract, after.contract)).toStrictEqual([
    '| `remark` | string or null | string of at most 120 characters or null |',
  ]);
});

test('an error with a status and a header of its own is added to both documents', () => {
  const after = correct({
    ...factsOfCode,
    errors: factsOfCode.errors.toSpliced(-2, 0, {
      code: 'file-changed',
      check: 6,
      example: 'file-locked',
      says: [],
      status: 423,
      message: 'File is locked: later',
      headers: { 'x-error-code': 'file-changed', 'x-lock': 'a' },
    }),
  });
  expect(addedLines(openapi, after.openapi)).toStrictEqual([
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
  ]);
  expect(addedLines(contract, after.contract)).toStrictEqual([
    '| `file-changed` |  | 423 | `File is locked: later`, with `x-lock` |',
  ]);
});

test('a field and a status that are gone are for people to remove', () => {
  const { summary: _, ...properties } = patch.properties;
  const { errors } = factsOfCode;
  const [, ...others] = errors.filter(({ status }) => status === 415);
  const changed = {
    ...factsOfCode,
    patch: { ...patch, properties },
    errors: errors.filter((error) => error.status !== 422 && !others.includes(error)),
  };
  const responses = "openapi.yaml: paths.'/v1/spaces/{spaceId}/files/{fileId}'.patch.responses";
  expect(findInOpenapi(openapi, changed).wrong).toStrictEqual([
    `${responses}.415.content.'application/json'.examples.content-encoding-unsupported ${gone}`,
    `${responses}.422.content.'application/json'.examples.idempotency-key-reused ${gone}`,
    `${responses}.422.headers.x-request-id ${gone}`,
    `${responses}.422.headers.cache-control ${gone}`,
    `${responses}.422.headers.x-content-type-options ${gone}`,
    `${responses}.422.headers.x-error-code ${gone}`,
    `openapi.yaml: components.headers.ErrorCode422 ${gone}`,
    `openapi.yaml: components.schemas.FilePatch.properties.summary ${gone}`,
  ]);
  expect(findInContract(contract, changed).wrong).toStrictEqual([
    `docs/contract.md, table "responses", \`content-encoding-unsupported\` ${gone}`,
    `docs/contract.md, table "responses", \`idempotency-key-reused\` ${gone}`,
  ]);
});
