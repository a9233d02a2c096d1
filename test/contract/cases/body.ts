import { gzipSync } from 'node:zlib';
import {
  accepted,
  bodyTooLarge,
  each,
  encoded,
  type Group,
  invalid,
  notJsonType,
  one,
  updated,
} from '../case.ts';

/** A media type of exactly this many characters. */
const ofLength = (length: number) => 'application/json; note='.padEnd(length, 'x');

const rejectedTypes: readonly (readonly [string, string | readonly string[] | null])[] = [
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
  ['JSON in utf8, which is not the name of a charset', 'application/json; charset=utf8'],
  ['A media type sent twice', ['application/json', 'application/json']],
  ['A media type of 257 characters', ofLength(257)],
];
const acceptedTypes: readonly (readonly [string, string])[] = [
  ['application/merge-patch+json', 'application/merge-patch+json'],
  ['JSON in UTF-8', 'application/json; charset=utf-8'],
  ['UTF-8 in capitals and quotes', 'application/json;charset="UTF-8"'],
  ['A media type in capitals', 'APPLICATION/JSON'],
  ['A merge patch with a charset', 'application/merge-patch+json; charset=utf-8'],
  ['Another parameter', 'application/json; version=1'],
  ['A media type of 256 characters', ofLength(256)],
];
const contentType = (type: string | readonly string[] | null) => ({ headers: { 'content-type': type } });

export const mediaType: Group = {
  title: 'Media type',
  cases: [
    ...each(rejectedTypes, (name) => `${name} is rejected as a media type`, contentType, notJsonType),
    ...each(acceptedTypes, (name) => `${name} is accepted as a media type`, contentType, accepted),
  ],
};

const same = (name: string) => [name, name] as const;
const contentEncoding = (name: string) => ({ headers: { 'content-encoding': name } });

export const encoding: Group = {
  title: 'Content encoding',
  cases: [
    one(
      'A body compressed with gzip is rejected',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync('{"summary":"Must not be stored."}') },
      encoded,
    ),
    ...each(
      ['gzip', 'deflate', 'br', 'zstd', 'aws-chunked', 'identity, gzip'].map(same),
      (name) => `The content encoding "${name}" is rejected`,
      contentEncoding,
      encoded,
    ),
    ...each(
      ['identity', 'IDENTITY'].map(same),
      (name) => `The content encoding "${name}" is accepted`,
      contentEncoding,
      accepted,
    ),
  ],
};

/** A body of exactly this many bytes. White space after JSON has no meaning. */
const ofBytes = (bytes: number) => '{"summary":"As large as may be."}'.padEnd(bytes, ' ');
/** An escaped e acute has six bytes here and two in UTF-8. */
const escaped = `{"summary":"${'\\u00e9'.repeat(10_000)}","documentKind":"${'\\u00e9'.repeat(256)}"}`;

export const size: Group = {
  title: 'Size',
  cases: [
    one(
      'A body of 131072 bytes is accepted',
      { body: ofBytes(131_072) },
      updated('As large as may be.', 'before'),
    ),
    one('A body of 131073 bytes is rejected', { body: ofBytes(131_073) }, bodyTooLarge),
    one(
      'The limit counts bytes, not characters',
      { body: `{"summary":"${'é'.repeat(65_600)}"}` },
      bodyTooLarge,
    ),
    one('The size is checked before the JSON', { body: 'x'.repeat(200_000) }, bodyTooLarge),
    one(
      'A body without a length has the same limit',
      { body: ofBytes(131_073), chunked: true },
      bodyTooLarge,
    ),
    one(
      'Both fields at their limits fit when escaped',
      { body: escaped },
      updated('é'.repeat(10_000), 'é'.repeat(256)),
    ),
  ],
};

const malformed: readonly (readonly [string, string | Uint8Array])[] = [
  ['White space', ' \n\t '],
  ['Plain text', 'summary=New'],
  ['An object that is cut off', '{"summary":"New"'],
  ['A trailing comma', '{"summary":"New",}'],
  ['Single quotes', "{'summary':'New'}"],
  ['A name without quotes', '{summary:"New"}'],
  ['A comment', '{"summary":"New"/* really */}'],
  ['NaN', '{"summary":NaN}'],
  ['undefined', '{"summary":undefined}'],
  ['A number with a leading zero', '{"summary":01}'],
  ['Two objects in a row', '{"summary":"New"}{"summary":"Newer"}'],
  ['A line break inside a string', '{"summary":"New\nline"}'],
  ['An unknown escape', '{"summary":"\\x41"}'],
  ['A byte order mark', '\ufeff{"summary":"New"}'],
  ['A byte that is not UTF-8', Buffer.from('{"summary":"N\xffew"}', 'latin1')],
  ['An overlong form in UTF-8', Buffer.from('{"summary":"N\xc0\xafew"}', 'latin1')],
  ['A surrogate written as UTF-8', Buffer.from('{"summary":"N\xed\xa0\x80ew"}', 'latin1')],
  ['UTF-16', Buffer.from('{"summary":"New"}', 'utf16le')],
  ['Thousands of open brackets', '['.repeat(50_000)],
];
const otherJson = ['null', 'true', '0', '-1.5e3', '"summary"', '[]', '[{"summary":"New"}]'];
const toBody = (body: string | Uint8Array) => ({ body });

export const json: Group = {
  title: 'JSON',
  cases: [
    one('A request without a body is rejected', { body: null }, invalid('Request body is required')),
    one(
      'A body without chunks is rejected',
      { body: null, chunked: true },
      invalid('Request body is required'),
    ),
    ...each(
      malformed,
      (name) => `${name} is not valid JSON`,
      toBody,
      invalid('Request body is not valid JSON'),
    ),
    ...each(
      otherJson.map(same),
      (name) => `The JSON ${name} is not an object`,
      toBody,
      invalid('Request body must be a JSON object'),
    ),
    one(
      'White space around and within JSON is ignored',
      { body: '\r\n\t { "summary" :\n\t"Must not be stored."\r\n} \n' },
      accepted,
    ),
    one(
      'A body in chunks is accepted',
      { body: '{"summary":"Must not be stored."}', chunked: true },
      accepted,
    ),
  ],
};
