import { expect, test } from 'vitest';
import { ApiError } from '#lib/domain/errors.ts';
import { openRequest } from '#lib/http/event.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import { createEnvironment } from '#test/support/environment.ts';
import { anEvent, base64 } from '#test/support/event.ts';

const read = (overrides: Parameters<typeof anEvent>[0]) =>
  readFilePatch(openRequest(anEvent(overrides), {}, createEnvironment()));

test.each<[string, string?]>([
  ['application/json'],
  ['application/json ; charset="UTF-8"'],
  ['APPLICATION/JSON'],
  ['application/merge-patch+json'],
  [`application/json;charset=utf-8${' '.repeat(226)}`],
  ['application/json', 'identity'],
  ['application/json', ' Identity '],
  ['application/json', ''],
])('a body of Content-Type %.40s and Content-Encoding %s is read', (contentType, contentEncoding) => {
  const headers = { 'content-type': contentType, 'content-encoding': contentEncoding };
  expect(read({ headers })).toEqual({ summary: 'New.' });
});

test.each([
  undefined,
  '',
  'json',
  'application/json; charset=utf-16',
  'application/json; charset=utf8',
  'application/json,application/json',
  'application/vnd.api+json',
  `application/json;charset=utf-8${' '.repeat(227)}`,
])('Content-Type %.40s is not supported', (contentType) => {
  expect(() => read({ headers: { 'content-type': contentType } })).toThrow(
    new ApiError('content-type-unsupported', { reason: 'Content-Type is not JSON in UTF-8' }),
  );
});

test.each(['gzip', 'identity, identity', 'gzip, identity', 'x'])(
  'Content-Encoding %s is not supported',
  (encoding) => {
    expect(() => read({ headers: { 'content-encoding': encoding } })).toThrow(
      new ApiError('content-encoding-unsupported', { reason: 'body is encoded' }),
    );
  },
);

const json = (bytes: number) => `{"summary":"a"}${' '.repeat(bytes - 15)}`;
test.each([
  ['text', { body: json(131_072) }],
  ['base64', { body: base64(json(131_072)), isBase64Encoded: true }],
])('a body of 131072 bytes as %s is read', (_, body) => {
  expect(read(body)).toEqual({ summary: 'a' });
});

test.each([
  ['text', 131_073, { body: json(131_073) }],
  ['base64', 131_073, { body: base64(json(131_073)), isBase64Encoded: true }],
  ['text of two bytes a character', 131_086, { body: `{"summary":"${'é'.repeat(65_536)}"}` }],
])('a body as %s of %i bytes is too large', (_, bytes, body) => {
  expect(() => read(body)).toThrow(new ApiError('body-too-large', { reason: `body of ${bytes} bytes` }));
});

test.each([
  ['{"summary":"a"', false, { reason: 'body is not JSON' }],
  ["{'summary':'a'}", false, { reason: 'body is not JSON' }],
  ['{"summary":"a"}x', false, { reason: 'body is not JSON' }],
  ['{"summary":NaN}', false, { reason: 'body is not JSON' }],
  ['   ', false, { reason: 'body is not JSON' }],
  ['\ufeff{"summary":"a"}', false, { reason: 'body is not JSON' }],
  [base64('\ufeff{"summary":"a"}'), true, { reason: 'body is not JSON' }],
  ['{"summary":"a"}', true, { reason: 'body is not base64' }],
  ['!!!!', true, { reason: 'body is not base64' }],
  [base64('{"summary":"ab"}').replaceAll('=', ''), true, { reason: 'body is not base64' }],
  [
    base64(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])),
    true,
    { reason: 'body is not UTF-8', cause: expect.any(TypeError) },
  ],
])('body %j (base64: %s) is not JSON', (body, isBase64Encoded, details) => {
  expect(() => read({ body, isBase64Encoded })).toThrow(new ApiError('body-not-json', details));
});

test.each(['null', '[]', '[{"summary":"a"}]', '"a"', '1', 'true'])('%s is not an object', (body) => {
  expect(() => read({ body })).toThrow(
    new ApiError('body-not-object', { reason: 'body is JSON but no object' }),
  );
});

test.each([undefined, null, ''])('body %j is missing', (body) => {
  expect(() => read({ body })).toThrow(new ApiError('body-missing', { reason: 'no body' }));
});
