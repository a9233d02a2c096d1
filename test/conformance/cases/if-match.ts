import type { Case, Group, Step } from '../case.ts';
import { fileChanged, fileNotFound, ifMatchInvalid, updated, updatedAsUsual } from './answers.ts';

/** So that there is an etag before the present one. */
const firstWrite: Step = {
  send: { body: '{"summary":"Written first."}' },
  expect: updated('Written first.', 'before'),
};

const after = (name: string, ifMatch: string | readonly string[], expect: Step['expect']): Case => ({
  name,
  steps: [firstWrite, { send: { headers: { 'if-match': ifMatch } }, expect }],
});

const otherTags = (count: number) => Array.from({ length: count }, (_, index) => `"${index + 1}"`).join(', ');

const holding: readonly (readonly [string, string | readonly string[]])[] = [
  ['The current etag matches', '{etag}'],
  ['A star matches any file there is', '*'],
  ['A list with the current etag matches', '"1", {etag}, "2"'],
  ['A list without white space matches', '"1",{etag},"2"'],
  ['Empty members of a list count for nothing', ', ,{etag}, ,'],
  ['A list sent as two headers is one list', ['"1"', '{etag}']],
  ['The current etag matches beside a weak one', 'W/"1", {etag}'],
  ['The current etag matches beside one that is not of our making', '"a,b", {etag}'],
  ['100 etags may be listed', `${otherTags(99)}, {etag}`],
];
const failing: readonly (readonly [string, string])[] = [
  ['The etag of an earlier version does not match', '{stale}'],
  ['The current etag as a weak one does not match', 'W/{etag}'],
  ['The etag of a file never written does not match one that was', '"0"'],
  ['An etag that is not of our making does not match', '"abc"'],
  ['An empty etag does not match', '""'],
  ['A list without the current etag does not match', '"1", "2", {stale}'],
];
const unreadable: readonly (readonly [string, string])[] = [
  ['An etag without quotes', 'abc'],
  ['A number without quotes', '1795230166767000'],
  ['An etag without its last quote', '"1'],
  ['A star in quotes halfway', '"*'],
  ['A star in a list', '*, {etag}'],
  ['Etags without a comma between them', '{etag} "1"'],
  ['A weak mark in lower case', 'w/{etag}'],
  ['A list of nothing', ' , '],
  ['A list of 101 etags', `${otherTags(100)}, {etag}`],
];

/** Row 6 of the contract's table, second: the precondition. */
export const ifMatch: Group = {
  title: 'If-Match',
  cases: [
    ...holding.map(([name, value]) => after(name, value, updatedAsUsual)),
    ...failing.map(([name, value]) => after(name, value, fileChanged)),
    ...unreadable.map(([what, value]) => after(`${what} cannot be read`, value, ifMatchInvalid)),
    {
      name: 'A star does not match a file that is not there',
      send: { file: 'no-such-file', headers: { 'if-match': '*' } },
      expect: fileNotFound,
    },
    {
      name: 'The etag of a refusal opens the way',
      steps: [
        { send: { headers: { 'if-match': '"1"' } }, expect: fileChanged },
        { send: { headers: { 'if-match': '{etag}' } }, expect: updatedAsUsual },
      ],
    },
    {
      name: 'An etag serves for one update only',
      steps: [
        { send: { headers: { 'if-match': '{etag}' } }, expect: updatedAsUsual },
        { send: { headers: { 'if-match': '{stale}' } }, expect: fileChanged },
      ],
    },
    {
      name: 'If-None-Match and If-Unmodified-Since are ignored',
      send: { headers: { 'if-none-match': '*', 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
      expect: updatedAsUsual,
    },
  ],
};
