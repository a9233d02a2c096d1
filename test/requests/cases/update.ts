import { kinds } from '#test/support/fixtures.ts';
import {
  aCase,
  accepted,
  before,
  type Case,
  cases,
  type Expected,
  rejected,
  type Step,
  textFields,
  updated,
} from './case.ts';
import { fixture } from './fixture.ts';

type Text = string | null;
const [kind] = kinds;
const inJson = JSON.stringify(kind);
const step = (body: string, summary: Text, documentKind: Text): Step => [
  { body },
  updated(summary, documentKind),
];
const by = (userId: string, body: string, expect: Expected): Step => [
  { body, headers: { 'x-user-id': userId } },
  expect,
];
const again = step(`{"summary":"Again.","documentKind":${inJson}}`, 'Again.', kind);

/** A patch of a file with the values of `before`, and the values that it leaves. */
const patches = [
  step('{"summary":"New."}', 'New.', 'before'),
  step('{"summary":null}', null, 'before'),
  step(`{"documentKind":${inJson}}`, 'Before.', kind),
  step('{"documentKind":null}', 'Before.', null),
  step(`{"summary":"New.","documentKind":${inJson}}`, 'New.', kind),
  step('{"summary":"New.","documentKind":null}', 'New.', null),
  step(`{"summary":null,"documentKind":${inJson}}`, null, kind),
  step('{"summary":null,"documentKind":null}', null, null),
  step(`{"documentKind":${inJson},"summary":"New."}`, 'New.', kind),
];

const cleared = [
  step('{"summary":null,"documentKind":null}', null, null),
  step('{"documentKind":null}', null, null),
  step('{"summary":"Back."}', 'Back.', null),
];
const emptied = [
  step('{"summary":"","documentKind":null}', '', null),
  step('{"summary":null}', null, null),
  step('{"summary":""}', '', null),
];

/** JSON as sent, and the string that it means. */
const texts: readonly (readonly [what: string, json: string, text: string])[] = [
  ['an empty string', '""', ''],
  ['a space', '" "', ' '],
  ['white space at both ends', '" \\t New. \\n"', ' \t New. \n'],
  ['line breaks of every kind', '"a\\nb\\r\\nc\\rd"', 'a\nb\r\nc\rd'],
  ['an e with an accent in one character', '"\u00e9"', '\u00e9'],
  ['an e with an accent in two characters', '"e\u0301"', 'e\u0301'],
  ['compatibility characters', '"ﬁ Ⅳ ｱ"', 'ﬁ Ⅳ ｱ'],
  ['an emoji of several characters', '"👩‍👩‍👧"', '👩‍👩‍👧'],
  ['a surrogate pair written as escapes', '"\\ud83d\\udc4b"', '👋'],
  ['a letter written as an escape', '"\\u0041"', 'A'],
  ['a slash with and without a backslash', '"\\/ /"', '/ /'],
  ['quotes and backslashes', '"\\"C:\\\\x\\""', '"C:\\x"'],
  ['a null character', '"a\\u0000b"', 'a\u0000b'],
  ['the separators U+2028 and U+2029', '"\u2028\u2029"', '\u2028\u2029'],
  ['a byte order mark inside', '"a\ufeffb"', 'a\ufeffb'],
  ['noncharacters', '"\uffff\ufffe"', '\uffff\ufffe'],
  ['text from right to left', '"שלום \u202eabc"', 'שלום \u202eabc'],
  ['markup', '"<script>alert(1)</script>&amp;"', '<script>alert(1)</script>&amp;'],
  ['the word null', '"null"', 'null'],
  ['a number in quotes', '"0012.50"', '0012.50'],
  ['JSON in a string', '"{\\"summary\\":null}"', '{"summary":null}'],
  ['the words of an expression', '"#summary = :summary, SET REMOVE"', '#summary = :summary, SET REMOVE'],
  ['placeholders', '"{{x}} %s $1 $&"', '{{x}} %s $1 $&'],
];

const otherTags = (count: number) => Array.from({ length: count }, (_, index) => `"${index + 1}"`).join(', ');
const ifMatch = (value: string | readonly string[]) => ({ headers: { 'if-match': value } });
/** An update first, so that there is an earlier etag. */
const ifMatchCases = (
  expect: Expected,
  values: Readonly<Record<string, string | readonly string[]>>,
): readonly Case[] =>
  Object.entries(values).map(([name, value]) =>
    aCase(name, [step('{"summary":"Written first."}', 'Written first.', 'before'), [ifMatch(value), expect]]),
  );

export const update: readonly Case[] = [
  ...ifMatchCases(accepted, {
    'The current etag matches': '{etag}',
    'A star matches any file': '*',
    'A list with the current etag matches': '"1", {etag}, "2"',
    'A list with a tab matches': '"1" ,\t{etag}',
    'A list without white space matches': '"1",{etag},"2"',
    'Empty members of a list are ignored': ', ,{etag}, ,',
    'A list sent as two headers is one list': ['"1"', '{etag}'],
    'The current etag matches beside a weak one': 'W/"1", {etag}',
    'The current etag matches beside one of another form': '"a,b", {etag}',
    'The current etag matches with what Apache adds for gzip': '"{version}-gzip"',
    'The current etag matches with what Apache adds for Brotli': '"{version}-br"',
    'The current etag matches with what Jetty adds for gzip': '"{version}--gzip"',
    'The current etag matches with another suffix of a proxy': '"1-gzip", "{version};gzip"',
    'The current etag matches with deflate': '"{version};deflate"',
    'The current etag matches with Zstandard': '"{version}-zstd"',
    'A list may have 100 etags': `${otherTags(99)}, {etag}`,
  }),
  ...ifMatchCases(rejected('file-changed'), {
    'The etag of an earlier version does not match': '{stale}',
    'The current etag as a weak one does not match': 'W/{etag}',
    'The current etag as a weak one with a suffix does not match': 'W/"{version}-gzip"',
    'The current etag with another suffix does not match': [
      '-2',
      '-GZIP',
      'gzip',
      '---gzip',
      ';;gzip',
      '-gzip-gzip',
      '-g',
    ]
      .map((suffix) => `"{version}${suffix}"`)
      .join(),
    'The etag of a file without a version does not match': '"0"',
    'The etag of a file without a version does not match with a suffix': '"0-gzip"',
    'An etag of another form does not match': '"abc"',
    'An empty etag does not match': '""',
    // The last number is not exact in JavaScript, and the SDK would reject it.
    'A list without the current etag does not match': '"1", {stale}, "9999999999999999"',
  }),
  ...ifMatchCases(rejected('if-match-invalid'), {
    'An etag without quotes is malformed': 'abc',
    'A number without quotes is malformed': '1795230166767000',
    'An etag without its last quote is malformed': '"1',
    'A star after a quote is malformed': '"*',
    'A star in a list is malformed': '*, {etag}',
    'Etags without a comma between them are malformed': '{etag} "1"',
    'A weak mark in lower case is malformed': 'w/{etag}',
    'A list without etags is malformed': ' , ',
    'An empty If-Match is malformed': '',
    'Text after a list is malformed': '"0",,x',
    'A letter that is not ASCII in an etag is malformed': '"\u0100"',
    'A list of 101 etags is malformed': `${otherTags(100)}, {etag}`,
  }),
  ...cases(rejected('file-not-found'), {
    'A star does not match a file that does not exist': { file: 'no-such-file', ...ifMatch('*') },
  }),
  aCase('The etag of a 412 matches', [
    [ifMatch('"1"'), rejected('file-changed')],
    [ifMatch('{etag}'), accepted],
  ]),
  aCase('An etag matches for one update only', [
    [ifMatch('{etag}'), accepted],
    [ifMatch('{stale}'), rejected('file-changed')],
  ]),
  ...(['detailed', 'basic'] as const).flatMap((file) => [
    ...patches.map((patch) =>
      aCase(`${patch[0].body} updates a file of the ${file} shape`, [patch], { file }),
    ),
    aCase(`A cleared field stays cleared in the ${file} shape`, cleared, { file }),
    aCase(`An empty string is not null in the ${file} shape`, emptied, { file }),
  ]),
  // A string is set in one field, and is still there after an update of the other field.
  ...Object.keys(textFields).flatMap((field) =>
    texts.map(([what, json, text]) => {
      const file = { ...before, [field]: text };
      const [other, after] = field === 'summary' ? ['documentKind', kind] : ['summary', 'After.'];
      return aCase(`${field} keeps ${what}`, [
        [{ body: `{"${field}":${json}}` }, { status: 200, file }],
        [{ body: `{"${other}":"${after}"}` }, { status: 200, file: { ...file, [other]: after } }],
      ]);
    }),
  ),
  aCase('A repeated update has the same result', [again, again, again]),
  aCase('The last writer wins', [
    step('{"summary":"One."}', 'One.', 'before'),
    by('somebody-else', '{"summary":"Two."}', updated('Two.', 'before')),
    step('{"summary":"Three."}', 'Three.', 'before'),
  ]),
  aCase('The last writer wins per field', [
    step('{"summary":"Mine."}', 'Mine.', 'before'),
    by('somebody-else', `{"documentKind":${inJson}}`, updated('Mine.', kind)),
    step('{"summary":"Mine again."}', 'Mine again.', kind),
  ]),
  aCase(
    'An update of one file does not change another',
    [
      step('{"summary":"Of the basic file."}', 'Of the basic file.', 'before'),
      step(`{"documentKind":${inJson}}`, 'Of the basic file.', kind),
    ],
    { file: 'basic' },
  ),
  aCase(
    'A rejection between two updates changes neither',
    [
      step('{"summary":"By the owner."}', 'By the owner.', 'before'),
      by(
        fixture.userId,
        '{"summary":"By another."}',
        rejected('permission-denied', 'space is private and the caller is not its owner'),
      ),
      step(`{"documentKind":${inJson}}`, 'By the owner.', kind),
    ],
    { file: 'private' },
  ),
];
