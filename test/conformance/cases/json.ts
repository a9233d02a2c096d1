import type { Case, Group } from '../case.ts';
import { noBody, notJson, notObject, updatedAsUsual } from './answers.ts';

const broken: readonly (readonly [string, string | Uint8Array])[] = [
  ['White space alone', ' \n\t '],
  ['Plain text', 'summary=New'],
  ['An object cut short', '{"summary":"New"'],
  ['A comma too many', '{"summary":"New",}'],
  ['Single quotes', "{'summary':'New'}"],
  ['A name without quotes', '{summary:"New"}'],
  ['A comment', '{"summary":"New"/* really */}'],
  ['NaN', '{"summary":NaN}'],
  ['undefined', '{"summary":undefined}'],
  ['A number with a leading zero', '{"summary":01}'],
  ['Two objects in a row', '{"summary":"New"}{"summary":"Newer"}'],
  ['A line break inside a string', '{"summary":"New\nline"}'],
  ['An escape that there is not', '{"summary":"\\x41"}'],
  ['A byte order mark', '\ufeff{"summary":"New"}'],
  ['A byte that is not UTF-8', Buffer.from('{"summary":"N\xffew"}', 'latin1')],
  ['An overlong form in UTF-8', Buffer.from('{"summary":"N\xc0\xafew"}', 'latin1')],
  ['A surrogate written as UTF-8', Buffer.from('{"summary":"N\xed\xa0\x80ew"}', 'latin1')],
  ['UTF-16', Buffer.from('{"summary":"New"}', 'utf16le')],
  ['Thousands of open brackets', '['.repeat(50_000)],
];
const otherJson = ['null', 'true', '0', '-1.5e3', '"summary"', '[]', '[{"summary":"New"}]'];

/** Row 4 of the contract's table, fourth: a JSON object. */
export const json: Group = {
  title: 'JSON',
  cases: [
    { name: 'A request without a body is refused', send: { body: null }, expect: noBody },
    { name: 'A body of no chunks is none', send: { body: null, chunked: true }, expect: noBody },
    ...broken.map(
      ([what, body]): Case => ({ name: `${what} is not valid JSON`, send: { body }, expect: notJson }),
    ),
    ...otherJson.map(
      (body): Case => ({
        name: `JSON that is ${body} is no object`,
        send: { body },
        expect: notObject,
      }),
    ),
    {
      name: 'White space around and within JSON means nothing',
      send: { body: '\r\n\t { "summary" :\n\t"Must not be stored."\r\n} \n' },
      expect: updatedAsUsual,
    },
    {
      name: 'A body sent in chunks is put together',
      send: { body: '{"summary":"Must not be stored."}', chunked: true },
      expect: updatedAsUsual,
    },
  ],
};
