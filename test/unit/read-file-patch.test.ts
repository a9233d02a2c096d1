import { expect, test } from 'vitest';
import { ApiError, type ErrorCode, type ErrorDetails } from '#lib/domain/errors.ts';
import { openRequest } from '#lib/http/event.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import { createEnvironment } from '#test/support/environment.ts';
import { anEvent, base64 } from '#test/support/event.ts';

type Overrides = NonNullable<Parameters<typeof anEvent>[0]>;
const read = (overrides: Overrides) =>
  readFilePatch(openRequest(anEvent(overrides), {}, createEnvironment()));

const type = (contentType?: string): Overrides => ({ headers: { 'content-type': contentType } });
const encoding = (contentEncoding: string): Overrides => ({
  headers: { 'content-encoding': contentEncoding },
});
const text = (body: string | null): Overrides => ({ body });
const binary = (body: string | Uint8Array): Overrides => ({ body: base64(body), isBase64Encoded: true });
/** A patch of so many bytes. */
const json = (bytes: number) => `{"summary":"New."}${' '.repeat(bytes - 18)}`;

test.each([
  type('application/json'),
  type('application/json ; charset="UTF-8"'),
  type('APPLICATION/JSON'),
  type('application/merge-patch+json'),
  type(`application/json;charset=utf-8${' '.repeat(226)}`),
  encoding('identity'),
  encoding(' Identity '),
  encoding(''),
  text(json(131_072)),
  binary(json(131_072)),
])('a JSON object in UTF-8 of up to 128 KiB is read (%#)', (overrides) => {
  expect(read(overrides)).toEqual({ summary: 'New.' });
});

const otherType = { reason: 'Content-Type is not JSON in UTF-8' };
const tooLarge = { reason: 'body of 131073 bytes' };
const notJson = { reason: 'body is not JSON' };
const notBase64 = { reason: 'body is not base64' };
const notUtf8 = { reason: 'body is not UTF-8', cause: expect.any(TypeError) };
const notObject = { reason: 'body is JSON but no object' };
const cases: readonly [ErrorCode, ErrorDetails, ...Overrides[]][] = [
  ['content-type-unsupported', otherType, type(), type(''), type('json'), type('application/vnd.api+json')],
  ['content-type-unsupported', otherType, type('application/json; charset=utf-16')],
  ['content-type-unsupported', otherType, type('application/json; charset=utf8')],
  ['content-type-unsupported', otherType, type('application/json,application/json')],
  ['content-type-unsupported', otherType, type(`application/json;charset=utf-8${' '.repeat(227)}`)],
  [
    'content-encoding-unsupported',
    { reason: 'body is encoded' },
    encoding('gzip'),
    encoding('identity, gzip'),
  ],
  ['body-too-large', tooLarge, text(json(131_073)), binary(json(131_073))],
  ['body-too-large', { reason: 'body of 131090 bytes' }, text(json(18).replace('New.', 'é'.repeat(65_538)))],
  ['body-missing', { reason: 'no body' }, text(null), text('')],
  ['body-not-json', notJson, text('{"summary":"a"'), text("{'summary':'a'}"), text('{"summary":"a"}x')],
  ['body-not-json', notJson, text('{"summary":NaN}'), text('   '), text('undefined')],
  ['body-not-json', notJson, text('\ufeff{"summary":"a"}'), binary('\ufeff{"summary":"a"}')],
  ['body-not-json', notBase64, { ...text('{"summary":"a"}'), isBase64Encoded: true }],
  ['body-not-json', notBase64, { ...text('!!!!'), isBase64Encoded: true }],
  ['body-not-json', notBase64, { ...text('eyJhIjoxfQ'), isBase64Encoded: true }],
  ['body-not-json', notUtf8, binary(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]))],
  ['body-not-object', notObject, ...['null', '[]', '[{"summary":"a"}]', '"a"', '1', 'true'].map(text)],
];
const rows = cases.flatMap(([code, details, ...bodies]) => bodies.map((body) => ({ code, details, body })));

test.each(rows)('another body is rejected (%#): $code, $details.reason', ({ code, details, body }) => {
  expect(() => read(body)).toThrow(new ApiError(code, details));
});
