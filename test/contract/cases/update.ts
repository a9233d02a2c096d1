import {
  accepted,
  type Case,
  denied,
  fileChanged,
  fileNotFound,
  type Group,
  invalid,
  one,
  type Step,
  updated,
} from '../case.ts';

/** A patch of a file with the values of `before`, and the values that it leaves. */
const patches = [
  ['{"summary":"New."}', 'New.', 'before'],
  ['{"summary":null}', null, 'before'],
  ['{"documentKind":"new"}', 'Before.', 'new'],
  ['{"documentKind":null}', 'Before.', null],
  ['{"summary":"New.","documentKind":"new"}', 'New.', 'new'],
  ['{"summary":"New.","documentKind":null}', 'New.', null],
  ['{"summary":null,"documentKind":"new"}', null, 'new'],
  ['{"summary":null,"documentKind":null}', null, null],
  ['{"documentKind":"new","summary":"New."}', 'New.', 'new'],
] as const;

const step = (body: string, summary: string | null, documentKind: string | null): Step => [
  { body },
  updated(summary, documentKind),
];

export const threeStates: Group = {
  title: 'Absent, null, value',
  cases: (['detailed', 'basic'] as const).flatMap((file): readonly Case[] => [
    ...patches.map(([body, summary, documentKind]) =>
      one(`${body} updates a file of the ${file} shape`, { body }, updated(summary, documentKind), file),
    ),
    {
      name: `A cleared field stays cleared in the ${file} shape`,
      file,
      steps: [
        step('{"summary":null,"documentKind":null}', null, null),
        step('{"documentKind":null}', null, null),
        step('{"summary":"Back."}', 'Back.', null),
      ],
    },
    {
      name: `An empty string is not null in the ${file} shape`,
      file,
      steps: [
        step('{"summary":"","documentKind":null}', '', null),
        step('{"documentKind":""}', '', ''),
        step('{"summary":null}', null, ''),
      ],
    },
  ]),
};

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

/** A string is set in one field, and is still there after an update of the other field. */
export const keptAsSent: Group = {
  title: 'Text as it was sent',
  cases: texts.flatMap(([what, json, text]): readonly Case[] => [
    {
      name: `summary keeps ${what}`,
      steps: [step(`{"summary":${json}}`, text, 'before'), step('{"documentKind":"after"}', text, 'after')],
    },
    {
      name: `documentKind keeps ${what}`,
      steps: [
        step(`{"documentKind":${json}}`, 'Before.', text),
        step('{"summary":"After."}', 'After.', text),
      ],
    },
  ]),
};

const by = (userId: string, body: string, expect: Step[1]): Step => [
  { body, headers: { 'x-user-id': userId } },
  expect,
];
const again = step('{"summary":"Again.","documentKind":"same"}', 'Again.', 'same');

export const repetition: Group = {
  title: 'Several updates',
  cases: [
    { name: 'A repeated update has the same result', steps: [again, again, again] },
    {
      name: 'The last writer wins',
      steps: [
        step('{"summary":"One."}', 'One.', 'before'),
        by('somebody-else', '{"summary":"Two."}', updated('Two.', 'before')),
        step('{"summary":"Three."}', 'Three.', 'before'),
      ],
    },
    {
      name: 'The last writer wins per field',
      steps: [
        step('{"summary":"Mine."}', 'Mine.', 'before'),
        by('somebody-else', '{"documentKind":"theirs"}', updated('Mine.', 'theirs')),
        step('{"summary":"Mine again."}', 'Mine again.', 'theirs'),
      ],
    },
    {
      name: 'An update of one file does not change another',
      file: 'basic',
      steps: [
        step('{"summary":"Of the basic file."}', 'Of the basic file.', 'before'),
        step('{"documentKind":"basic"}', 'Of the basic file.', 'basic'),
      ],
    },
    {
      name: 'A rejection between two updates changes neither',
      file: 'private',
      steps: [
        step('{"summary":"By the owner."}', 'By the owner.', 'before'),
        by('{userId}', '{"summary":"By another."}', denied),
        step('{"documentKind":"owned"}', 'By the owner.', 'owned'),
      ],
    },
  ],
};

const otherTags = (count: number) => Array.from({ length: count }, (_, index) => `"${index + 1}"`).join(', ');

const matching: readonly (readonly [string, string | readonly string[]])[] = [
  ['The current etag matches', '{etag}'],
  ['A star matches any file', '*'],
  ['A list with the current etag matches', '"1", {etag}, "2"'],
  ['A list without white space matches', '"1",{etag},"2"'],
  ['Empty members of a list are ignored', ', ,{etag}, ,'],
  ['A list sent as two headers is one list', ['"1"', '{etag}']],
  ['The current etag matches beside a weak one', 'W/"1", {etag}'],
  ['The current etag matches beside one of another form', '"a,b", {etag}'],
  ['A list may have 100 etags', `${otherTags(99)}, {etag}`],
];
const notMatching: readonly (readonly [string, string])[] = [
  ['The etag of an earlier version does not match', '{stale}'],
  ['The current etag as a weak one does not match', 'W/{etag}'],
  ['The etag of a file never updated does not match', '"0"'],
  ['An etag of another form does not match', '"abc"'],
  ['An empty etag does not match', '""'],
  ['A list without the current etag does not match', '"1", "2", {stale}'],
];
const malformed: readonly (readonly [string, string])[] = [
  ['An etag without quotes', 'abc'],
  ['A number without quotes', '1795230166767000'],
  ['An etag without its last quote', '"1'],
  ['A star after a quote', '"*'],
  ['A star in a list', '*, {etag}'],
  ['Etags without a comma between them', '{etag} "1"'],
  ['A weak mark in lower case', 'w/{etag}'],
  ['A list without etags', ' , '],
  ['A list of 101 etags', `${otherTags(100)}, {etag}`],
];

/** An update first, so that there is an earlier etag. */
const ifMatchCase = (name: string, value: string | readonly string[], expect: Step[1]): Case => ({
  name,
  steps: [
    step('{"summary":"Written first."}', 'Written first.', 'before'),
    [{ headers: { 'if-match': value } }, expect],
  ],
});

export const ifMatch: Group = {
  title: 'If-Match',
  cases: [
    ...matching.map(([name, value]) => ifMatchCase(name, value, accepted)),
    ...notMatching.map(([name, value]) => ifMatchCase(name, value, fileChanged)),
    ...malformed.map(([name, value]) =>
      ifMatchCase(`${name} is malformed`, value, invalid('If-Match is invalid')),
    ),
    one(
      'A star does not match a file that does not exist',
      { file: 'no-such-file', headers: { 'if-match': '*' } },
      fileNotFound,
    ),
    {
      name: 'The etag of a 412 matches',
      steps: [
        [{ headers: { 'if-match': '"1"' } }, fileChanged],
        [{ headers: { 'if-match': '{etag}' } }, accepted],
      ],
    },
    {
      name: 'An etag matches for one update only',
      steps: [
        [{ headers: { 'if-match': '{etag}' } }, accepted],
        [{ headers: { 'if-match': '{stale}' } }, fileChanged],
      ],
    },
    one(
      'If-None-Match and If-Unmodified-Since are ignored',
      { headers: { 'if-none-match': '*', 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
      accepted,
    ),
  ],
};
