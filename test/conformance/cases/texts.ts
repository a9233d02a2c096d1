import type { Case, Group } from '../case.ts';
import { updated } from './answers.ts';

/** JSON as sent, and the text it stands for. */
const texts: readonly (readonly [what: string, json: string, text: string])[] = [
  ['an empty text', '""', ''],
  ['a space', '" "', ' '],
  ['white space at both ends', '" \\t New. \\n"', ' \t New. \n'],
  ['line breaks of every kind', '"a\\nb\\r\\nc\\rd"', 'a\nb\r\nc\rd'],
  ['an e with an accent in one character', '"\u00e9"', '\u00e9'],
  ['an e with an accent in two characters', '"e\u0301"', 'e\u0301'],
  ['letters that compatibility would fold', '"ﬁ Ⅳ ｱ"', 'ﬁ Ⅳ ｱ'],
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
  ['JSON in a text', '"{\\"summary\\":null}"', '{"summary":null}'],
  ['the words of an expression', '"#summary = :summary, SET REMOVE"', '#summary = :summary, SET REMOVE'],
  ['placeholders of all sorts', '"{{x}} %s $1 $&"', '{{x}} %s $1 $&'],
];

/** Text is kept as it is sent: set in one field, and still there after an update of the other. */
export const keptAsSent: Group = {
  title: 'Text as it was sent',
  cases: texts.flatMap(([what, json, text]): readonly Case[] => [
    {
      name: `A summary keeps ${what}`,
      steps: [
        { send: { body: `{"summary":${json}}` }, expect: updated(text, 'before') },
        { send: { body: '{"documentKind":"after"}' }, expect: updated(text, 'after') },
      ],
    },
    {
      name: `A kind keeps ${what}`,
      steps: [
        { send: { body: `{"documentKind":${json}}` }, expect: updated('Before.', text) },
        { send: { body: '{"summary":"After."}' }, expect: updated('After.', text) },
      ],
    },
  ]),
};
