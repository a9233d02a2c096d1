import type { Case, Group } from '../case.ts';
import { notJsonType, updatedAsUsual } from './answers.ts';

/** A media type of exactly so many characters, most of them in a parameter. */
const ofLength = (length: number) => 'application/json; note='.padEnd(length, 'x');

const refusedTypes: readonly (readonly [string, string | readonly string[] | null])[] = [
  ['No media type', null],
  ['An empty media type', ''],
  ['text/plain', 'text/plain'],
  ['A form', 'application/x-www-form-urlencoded'],
  ['application/json-patch+json', 'application/json-patch+json'],
  ['Another type that ends in +json', 'application/vnd.api+json'],
  ['A type that begins like JSON', 'application/jsonp'],
  ['text/json', 'text/json'],
  ['A wildcard', 'application/*'],
  ['A type without a subtype', 'application'],
  ['JSON in Latin-1', 'application/json; charset=iso-8859-1'],
  ['JSON in UTF-16', 'application/json; charset=utf-16'],
  ['JSON in utf8, which is no name of a charset', 'application/json; charset=utf8'],
  ['A media type sent twice', ['application/json', 'application/json']],
  ['A media type of 257 characters', ofLength(257)],
];
const takenTypes: readonly (readonly [string, string])[] = [
  ['application/merge-patch+json', 'application/merge-patch+json'],
  ['JSON that says it is UTF-8', 'application/json; charset=utf-8'],
  ['UTF-8 in capitals and quotes', 'application/json;charset="UTF-8"'],
  ['A media type in capitals', 'APPLICATION/JSON'],
  ['A merge patch with a charset', 'application/merge-patch+json; charset=utf-8'],
  ['A parameter that means nothing here', 'application/json; version=1'],
  ['A media type of 256 characters', ofLength(256)],
];

/** Row 4 of the contract's table, first: is it JSON? */
export const mediaType: Group = {
  title: 'Media type',
  cases: [
    ...refusedTypes.map(
      ([what, type]): Case => ({
        name: `${what} is no media type for a patch`,
        send: { headers: { 'content-type': type } },
        expect: notJsonType,
      }),
    ),
    ...takenTypes.map(
      ([what, type]): Case => ({
        name: `${what} is taken as a patch`,
        send: { headers: { 'content-type': type } },
        expect: updatedAsUsual,
      }),
    ),
  ],
};
