import { expect, test } from 'vitest';
import { toEventBody } from '#local/gateway/http-body.ts';

const withBody = (
  contentType: string | undefined,
  body: string | Buffer,
  more: Record<string, string> = {},
) =>
  toEventBody(Buffer.from(body), {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...more,
  });

test('no bytes are no body', () => {
  expect(withBody('application/json', '')).toStrictEqual({ isBase64Encoded: false });
});

test.each([
  'application/json',
  'Application/JSON; charset=utf-8',
  'application/merge-patch+json',
  'application/soap+xml',
  'application/xml',
  'application/javascript',
  'text/plain',
])('a body of %s is text', (contentType) => {
  expect(withBody(contentType, '\uFEFF{"é":1}')).toStrictEqual({
    body: '\uFEFF{"é":1}',
    isBase64Encoded: false,
  });
});

test.each([undefined, '', 'application/octet-stream', 'application/jsonx', 'multipart/form-data'])(
  'a body of %s is base64',
  (contentType) => {
    expect(withBody(contentType, '{}')).toStrictEqual({ body: 'e30=', isBase64Encoded: true });
  },
);

test('a body that is not UTF-8, or is compressed, is base64', () => {
  const base64 = { body: 'eyL/In0=', isBase64Encoded: true };
  const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
  expect(withBody('application/json', bytes)).toStrictEqual(base64);
  expect(withBody('application/json', '{}', { 'content-encoding': 'gzip' })).toStrictEqual({
    body: 'e30=',
    isBase64Encoded: true,
  });
});
