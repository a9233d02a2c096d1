import { pick } from '#test/proof/support/random.ts';
import { answer, type BadRequest, type Generator, generators } from '../support/generator.ts';
import { anyCase, blank, int, unicode, word } from '../support/text.ts';

const ofType = (value: string | undefined): BadRequest => ({
  headers: { 'content-type': value },
  expected: [answer.mediaType],
});
const encoded = (value: string): BadRequest => ({
  headers: { 'content-encoding': value },
  expected: [answer.encoding],
});

export const mediaTypeGenerators: readonly Generator[] = [
  ...generators('content-type', {
    'missing or blank': ({ random }) => ofType(pick(random, [undefined, '', blank(random)])),
    'another type': ({ random }) =>
      ofType(
        // biome-ignore format: a table
        pick(random, [
          'text/plain', 'text/json', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x',
          'application/vnd.api+json', 'application/json-patch+json', 'application/problem+json', 'application/jsonl',
          'application/json5', 'application/ld+json', 'application/octet-stream', 'text/html', 'image/png', 'json', '*/*',
          'application/*', 'application/javascript', 'application/json+merge-patch', 'application/cbor', 'null', 'undefined',
          'application/merge-patch', 'application/graphql', 'application/x-ndjson', 'application/x-amz-json-1.0', 'a/b',
        ]),
      ),
    'broken syntax': ({ random }) =>
      ofType(
        // biome-ignore format: a table
        pick(random, [
          'application', 'application/', '/json', '/', ';', 'application//json', 'application/json/', 'application json',
          'application/ json', 'application /json', '"application/json"', 'application/json,', 'application/js\u0000on',
          'application/json\u000b', '<application/json>', 'application\\json', 'application/json,text/plain', '=', ';;',
          'application/json:x', 'application/json(c)', 'application/jsonç', 'applicatiοn/json', 'application/j\u200bson',
        ]),
      ),
    'another charset': ({ random }) => {
      // biome-ignore format: a table
      const charset = pick(random, [
        'utf-16', 'utf8', 'UTF16', 'utf-16le', 'utf-32', 'iso-8859-1', 'latin1', 'us-ascii', 'utf-7', 'shift_jis', 'x',
        'utf-8x', '"utf-16"', `${word(random)}x`, "'utf-8'", 'utf_8', '"utf-8 "', 'cp1252',
      ]);
      return ofType(
        `${anyCase(random, 'application/json')}${pick(random, ['; ', ';', ' ;'])}charset=${charset}`,
      );
    },
    'sent twice, joined': ({ random }) =>
      ofType(`application/json,${pick(random, ['application/json', 'text/plain', ' application/json'])}`),
    'any text': ({ random }) => ofType(`x${unicode(random, int(random, 1, 200))}`),
    'white space to wade through': ({ random }) =>
      ofType(
        `application/json${pick(random, [' ', '\t', '\r', '\n', ' \t']).repeat(int(random, 100, 5_000))}x`,
      ),
    'slashes and separators in a row': ({ random }) =>
      ofType(pick(random, ['/', ';', 'a/', '/a', '";', 'a;', '=;']).repeat(int(random, 100, 5_000))),
  }),
  ...generators('content-encoding', {
    'a compression': ({ random }) =>
      encoded(
        anyCase(
          random,
          pick(random, ['gzip', 'br', 'deflate', 'compress', 'zstd', 'x-gzip', 'aes128gcm', 'exi']),
        ),
      ),
    'a list': ({ random }) =>
      encoded(
        pick(random, [
          'identity, identity',
          'gzip, br',
          'identity,gzip',
          'gzip;q=0',
          ',',
          'identity,',
          '*',
          'gzip,',
        ]),
      ),
    'any text': ({ random }) => encoded(`x${unicode(random, int(random, 1, 200))}`),
  }),
  ...generators(
    'content-type',
    {
      'white space without end': ({ random }) =>
        ofType(`application/json${' '.repeat(int(random, 8_000, 20_000))}x`),
      'white space without end in a parameter': ({ random }) =>
        ofType(`application/json;charset=x${' '.repeat(int(random, 8_000, 20_000))}x`),
      'of megabytes': ({ random }) => ofType(pick(random, ['a', 'a/', 'é', ' ', ';a=b']).repeat(1_000_000)),
      'encoding of megabytes': ({ random }) =>
        encoded(`${' '.repeat(int(random, 0, 1_000_000))}${pick(random, ['gzip,', 'x ']).repeat(500_000)}`),
    },
    { heavy: true },
  ),
];
