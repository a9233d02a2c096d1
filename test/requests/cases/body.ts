import { gzipSync } from 'node:zlib';
import {
  accepted,
  before,
  bodyCases,
  type Case,
  cases,
  headerCases,
  named,
  rejected,
  textFields,
  updated,
  usualBody,
} from './case.ts';

/** A media type of exactly this many characters. */
const typeOf = (length: number) => 'application/json; note='.padEnd(length, 'x');
/** A body of exactly this many bytes. White space after JSON has no meaning. */
const bodyOf = (bytes: number) => '{"summary":"As large as may be."}'.padEnd(bytes, ' ');
const longest = Object.fromEntries(
  Object.entries(textFields).map(([field, limit]) => [field, 'é'.repeat(limit)]),
);
/** An escaped e acute has six bytes here and two in UTF-8. */
const escaped = JSON.stringify(longest).replaceAll('é', String.raw`\u00e9`);
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const spaced = '\r\n\t { "summary" :\n\t"Must not be stored."\r\n} \n';
const gzipped = { headers: { 'content-encoding': 'gzip' }, body: gzipSync(usualBody) };

const contentType = headerCases('content-type');
const contentEncoding = headerCases('content-encoding');

export const body: readonly Case[] = [
  ...contentType(rejected('content-type-unsupported'), {
    'No media type is rejected': null,
    'An empty media type is rejected': '',
    'The media type text/plain is rejected': 'text/plain',
    'A form is rejected': 'application/x-www-form-urlencoded',
    'The media type application/json-patch+json is rejected': 'application/json-patch+json',
    'Another type that ends in +json is rejected': 'application/vnd.api+json',
    'A type that begins like JSON is rejected': 'application/jsonp',
    'The media type text/json is rejected': 'text/json',
    'A wildcard is rejected': 'application/*',
    'A type without a subtype is rejected': 'application',
    'JSON in Latin-1 is rejected': 'application/json; charset=iso-8859-1',
    'A merge patch in Latin-1, as REST Assured sends it, is rejected':
      'application/merge-patch+json; charset=ISO-8859-1',
    'JSON in UTF-16 is rejected': 'application/json; charset=utf-16',
    'JSON in utf8, which is not the name of a charset, is rejected': 'application/json; charset=utf8',
    'A media type sent twice is rejected': ['application/json', 'application/json'],
    'A media type sent twice, first with a parameter, is rejected': 'application/json; x=y, text/plain',
    'A media type sent twice, first with an empty parameter, is rejected': 'application/json;,text/plain',
    'A media type sent twice, each with half a quoted text, is rejected':
      'application/json; x="a,text/plain; y="b',
    'A charset in single quotes is rejected': "application/json; charset='utf-8'",
    'A charset with one quote is rejected': 'application/json; charset="utf-8',
    'A charset with a quote at its end only is rejected': 'application/json; charset=utf-8"',
    'A parameter whose name has a quote is rejected': 'application/json; "charset=latin1',
    'A parameter whose name has a slash is rejected': 'application/json; a/b=c',
    'A charset with a space in its quotes is rejected': 'application/json; charset="utf-8 "',
    'A charset that begins like UTF-8 is rejected': 'application/json; charset=utf-80',
    'A charset that ends like UTF-8 is rejected': 'application/json; charset=x-utf-8',
    'A charset sent twice is rejected': 'application/json; charset=utf-8; charset=iso-8859-1',
    'The same charset sent twice is rejected': 'application/json; Charset=utf-8;CHARSET="UTF-8"',
    'A charset without a value is rejected': 'application/json; charset',
    'A charset with a space before the equals sign is rejected': 'application/json; charset =utf-8',
    'A media type of 257 characters is rejected': typeOf(257),
  }),
  ...contentType(accepted, {
    'application/merge-patch+json is accepted': 'application/merge-patch+json',
    'JSON in UTF-8 is accepted': 'application/json; charset=utf-8',
    'UTF-8 in capitals and quotes is accepted': 'application/json;charset="UTF-8"',
    'Space and tab in a media type are accepted': 'application/json\t;charset=\tutf-8 ; a=b',
    'A media type in capitals is accepted': 'APPLICATION/JSON',
    'A merge patch with a charset is accepted': 'application/merge-patch+json; charset=utf-8',
    'A parameter without a value is accepted': 'application/json; a',
    'A semicolon without a parameter is accepted': 'application/json;',
    'Another parameter is accepted': 'application/json; version=1',
    'A parameter whose name is any token is accepted': "application/json; !#$%&'*+-.^_`|~0a=1",
    'Another parameter sent twice is accepted': 'application/json; a="; charset=x"; a=1; charset=utf-8',
    'A media type of 256 characters is accepted': typeOf(256),
  }),
  ...cases(rejected('content-encoding-unsupported'), { 'A body compressed with gzip is rejected': gzipped }),
  ...contentEncoding(
    rejected('content-encoding-unsupported'),
    named((name) => `The encoding "${name}" is rejected`, ['gzip', 'deflate', 'br', 'zstd', 'aws-chunked']),
  ),
  ...contentEncoding(rejected('content-encoding-unsupported'), {
    'A list of encodings is rejected': 'identity, gzip',
    'A comma is an encoding that is rejected': ',',
  }),
  ...contentEncoding(
    accepted,
    named((name) => `The encoding "${name}" is accepted`, ['', 'identity', 'IDENTITY']),
  ),
  ...bodyCases(rejected('body-too-large', 'body of 131073 bytes'), {
    'A body of 131073 bytes is rejected': bodyOf(131_073),
  }),
  ...bodyCases(rejected('body-too-large', 'body of 131214 bytes'), {
    'The limit counts bytes, not characters': `{"summary":"${'é'.repeat(65_600)}"}`,
  }),
  ...bodyCases(rejected('body-too-large', 'body of 200000 bytes'), {
    'The size is checked before the JSON': 'x'.repeat(200_000),
    'The size is checked before base64': Buffer.alloc(200_000),
  }),
  ...cases(
    rejected('body-too-large'),
    { 'A body without a length has the same limit': { body: bodyOf(131_073), chunked: true } },
    { only: 'url' },
  ),
  ...bodyCases(updated('As large as may be.', 'before'), {
    'A body of 131072 bytes is accepted': bodyOf(131_072),
  }),
  ...bodyCases(
    { status: 200, file: { ...before, ...longest } },
    {
      'All texts at their limits fit when escaped': escaped,
    },
  ),
  ...cases(rejected('body-missing'), {
    'A request without a body is rejected': { body: null },
  }),
  ...cases(
    rejected('body-missing'),
    { 'A body without chunks is rejected': { body: null, chunked: true } },
    { only: 'url' },
  ),
  ...bodyCases(rejected('body-not-json'), {
    'White space is not valid JSON': ' \n\t ',
    'Plain text is not valid JSON': 'summary=New',
    'An object that is cut off is not valid JSON': '{"summary":"New"',
    'A trailing comma is not valid JSON': '{"summary":"New",}',
    'Single quotes are not valid JSON': "{'summary':'New'}",
    'A name without quotes is not valid JSON': '{summary:"New"}',
    'A comment is not valid JSON': '{"summary":"New"/* really */}',
    'NaN is not valid JSON': '{"summary":NaN}',
    'undefined is not valid JSON': '{"summary":undefined}',
    'A number with a leading zero is not valid JSON': '{"summary":01}',
    'Two objects in a row are not valid JSON': '{"summary":"New"}{"summary":"Newer"}',
    'A line break inside a string is not valid JSON': '{"summary":"New\nline"}',
    'An unknown escape is not valid JSON': '{"summary":"\\x41"}',
    'UTF-16 is not valid JSON': Buffer.from('{"summary":"New"}', 'utf16le'),
    'Thousands of open brackets are not valid JSON': '['.repeat(50_000),
  }),
  ...bodyCases(rejected('body-not-json', 'body begins with a byte order mark'), {
    'A byte order mark is rejected': '\ufeff{"summary":"New"}',
    'A byte order mark in bytes is rejected': Buffer.from('\ufeff{"summary":"New"}'),
  }),
  ...bodyCases(rejected('body-not-json', 'body is not UTF-8'), {
    'A byte that is not UTF-8 is rejected': latin1('{"summary":"N\xffew"}'),
    'An overlong form in UTF-8 is rejected': latin1('{"summary":"N\xc0\xafew"}'),
    'A surrogate written as UTF-8 is rejected': latin1('{"summary":"N\xed\xa0\x80ew"}'),
    'A character above U+10FFFF is rejected': latin1('{"summary":"N\xf4\x90\x80\x80ew"}'),
    'A character that is cut off is rejected': latin1('{"summary":"New\xc3"}'),
  }),
  ...bodyCases(
    rejected('body-not-object'),
    named(
      (json) => `The JSON ${json} is not an object`,
      ['null', 'true', '0', '-1.5e3', '"summary"', '[]', '[{"summary":"New"}]'],
    ),
  ),
  ...bodyCases(accepted, {
    'White space around and within JSON is ignored': spaced,
    'A body in bytes is accepted': Buffer.from(usualBody),
  }),
  ...bodyCases(updated('Grüße 👋', 'before'), {
    'A body in bytes is UTF-8': Buffer.from('{"summary":"Grüße 👋"}'),
  }),
  ...cases(accepted, { 'A body in chunks is accepted': { body: usualBody, chunked: true } }, { only: 'url' }),
];
