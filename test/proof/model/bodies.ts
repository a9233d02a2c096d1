import fc from 'fast-check';
import { problemBody } from './problem-bodies.ts';
import type { Body, Patch, Refusal } from './request.ts';

type Headers = Readonly<Record<string, string | undefined>>;
type Meaning = Body['means'];

const json = { 'content-type': 'application/json' };
const refused = (status: number, message: string): Meaning => ({ refusal: { status, message } });
const body = (text: string | undefined, means: Meaning): Body => ({
  text,
  isBase64Encoded: false,
  headers: json,
  means,
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', ' ', ' padded ', 'e\u0301', '\u0000\ufeff\u202e', 'null', '__proto__', '{"S":"x"}'),
);
const longest = (characters: number) => fc.constantFrom('x', '😀').map((one) => one.repeat(characters));
const field = (limit: number) =>
  fc.oneof(
    { weight: 6, arbitrary: text },
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: longest(limit) },
  );

/** All eight shapes of a patch. */
const patch: fc.Arbitrary<Patch> = fc.oneof(
  fc.record({ summary: field(10_000) }),
  fc.record({ documentKind: field(256) }),
  fc.record({ summary: field(10_000), documentKind: field(256) }),
);

const escaped = (plain: string) =>
  plain.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same patch as different clients write it. */
const spellings: readonly ((patch: Patch) => string)[] = [
  (patch) => JSON.stringify(patch),
  (patch) => JSON.stringify(patch, null, '\t'),
  (patch) => escaped(JSON.stringify(patch)),
  (patch) => ` ${JSON.stringify(Object.fromEntries(Object.entries(patch).toReversed()))}\r\n`,
];

const goodBody = fc
  .tuple(patch, fc.constantFrom(...spellings))
  .map(([meant, spell]) => body(spell(meant), { patch: meant }));

const notJson = refused(400, 'Request body is not valid JSON');
const notAnObject = refused(400, 'Request body must be a JSON object');
const badBody = fc.constantFrom(
  body(undefined, refused(400, 'Request body is required')),
  body('', refused(400, 'Request body is required')),
  ...[
    '{',
    '{"summary":"a"',
    "{'summary':1}",
    '{"summary":"a",}',
    ' ',
    'summary',
    '\ufeff{"summary":"a"}',
  ].map((sent) => body(sent, notJson)),
  { ...body('eyJzdW1tYXJ5Ijoi/yJ9', notJson), isBase64Encoded: true },
  { ...body('not base64!', notJson), isBase64Encoded: true },
  ...['null', '[]', '"x"', '1', 'true', '[{"summary":"a"}]'].map((sent) => body(sent, notAnObject)),
  body('{}', refused(400, 'At least one of summary, documentKind must be provided')),
  body('{"summary":"a","summary":null}', refused(400, 'Duplicate field "summary"')),
  body('{"x":1,"documentKind":"a","x":1}', refused(400, 'Duplicate field "x"')),
  body(`{"summary":"${'a'.repeat(131_059)}"}`, refused(413, 'Request body is too large')),
);

const notJsonType: Refusal = {
  status: 415,
  message: 'Content-Type must be application/json',
  headers: { 'accept-patch': 'application/json, application/merge-patch+json' },
};
const encoded: Refusal = { status: 415, message: 'Content-Encoding is not supported' };
const media = (headers: Headers, refusal?: Refusal) => ({ headers, refusal });

/** Headers that accept the body as it is, and headers for which no body counts any more. */
const goodMedia = fc.constantFrom(
  media(json),
  media({ 'content-type': 'application/merge-patch+json' }),
  media({ 'content-type': 'Application/JSON; Charset="UTF-8"' }),
  media({ ...json, 'content-encoding': 'identity' }),
);
const badMedia = fc.constantFrom(
  media({ 'content-type': undefined }, notJsonType),
  media({ 'content-type': 'text/plain' }, notJsonType),
  media({ 'content-type': 'application/json; charset=utf-16' }, notJsonType),
  media({ 'content-type': 'application/json,application/json' }, notJsonType),
  media({ 'content-type': 'text/html', 'content-encoding': 'gzip' }, notJsonType),
  media({ ...json, 'content-encoding': 'gzip' }, encoded),
);

/** Bodies of every kind that the contract names, most of them good. */
export const anyBody: fc.Arbitrary<Body> = fc
  .tuple(
    fc.oneof(
      { weight: 16, arbitrary: goodBody },
      { weight: 2, arbitrary: badBody },
      { weight: 2, arbitrary: problemBody },
    ),
    fc.oneof({ weight: 15, arbitrary: goodMedia }, { weight: 1, arbitrary: badMedia }),
    fc.boolean(),
  )
  .map(([sent, { headers, refusal }, wrap]) => {
    const inBase64 = wrap && sent.text !== undefined && !sent.isBase64Encoded;
    return {
      ...sent,
      ...(inBase64 && { text: Buffer.from(sent.text).toString('base64'), isBase64Encoded: true }),
      headers,
      means: refusal ? { refusal } : sent.means,
    };
  });
