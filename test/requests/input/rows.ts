import fc from 'fast-check';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { EDITABLE_NAMES, FILE_ID, unknownField } from '#test/support/given.ts';

/** What a request has in place of the parts of a good one. Path ids are decoded; `event` replaces all of it. */
export type Parts = NonNullable<Parameters<typeof anEvent>[0]> & { readonly event?: unknown };
type Requests = fc.Arbitrary<Parts>;

/** Any Unicode character. Unlike the unit "binary" of fast-check, without a map of all of them. */
export const character = fc
  .integer({ min: 0, max: 0x10_f7ff })
  .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + 0x800));
const any = fc.string({ unit: character, maxLength: 60 });
const bad = any.map((text) => `x${text}`);
export const word = fc.string({ unit: fc.constantFrom(...'abzAZ09_-.'), minLength: 1, maxLength: 24 });
const blank = fc.string({ unit: fc.constantFrom(...' \t\u00a0\u200b\u2003\ufeff\u2060'), maxLength: 40 });
const surrogate = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code));
const long = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength, size: 'max' });
const around = (inside: fc.Arbitrary<string>) => fc.tuple(word, inside, word).map((parts) => parts.join(''));
/** One of the values, or of what the arbitraries make. */
export const oneOf = <Value>(values: readonly Value[], ...more: fc.Arbitrary<string>[]) =>
  fc.oneof(fc.constantFrom(...values), ...more);

const header = (name: string, values: fc.Arbitrary<string | undefined>): Requests =>
  values.map((value) => ({ headers: { [name]: value } }));
/** A header with a second value: under another spelling of its name, or in the other place of format 1.0. */
const twice = (name: string, good: string): Requests =>
  fc.tuple(word, fc.mixedCase(fc.constant(name)), fc.boolean()).map(([value, spelling, isRest]) => {
    if (isRest) return { event: aRestEvent({ extra: { multiValueHeaders: { [spelling]: [`${value}x`] } } }) };
    return {
      headers: spelling === name ? { [name]: `${good},${value}` } : { [name]: good, [spelling]: value },
    };
  });
const forbidden = fc.constantFrom(...' ,\t\n\0\u007f\u0085\u00a0\u200b\u202e\u2028\ufeffëÿζ😀');
const invalidIds = (name: string, good: string) =>
  fc.oneof(
    header(name, oneOf([` ${good}`, `${good} `, `${good}\r\nx-a: b`], around(forbidden), around(surrogate))),
    header(name, long('az~', 129, 400)),
    twice(name, good),
  );
const charsets = oneOf(["'utf-8'", '"utf-8 "', 'utf-80', 'x-utf-8', 'utf-8;charset=utf-8'], word).map(
  (name) => `application/json; charset=${name}`,
);

const isJson = (text: string) => {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
};
const base64 = (data: Uint8Array | string): Parts => ({
  body: Buffer.from(data).toString('base64'),
  isBase64Encoded: true,
});
/** A body as it is or in base64. */
const body = (texts: fc.Arbitrary<string>): Requests =>
  fc
    .tuple(texts, fc.boolean())
    .map(([text, isEncoded]) => (isEncoded && text.isWellFormed() ? base64(text) : { body: text }));
const json = fc.json();
const patch = any.map((summary) => JSON.stringify({ summary }));
const cutOff = fc.tuple(patch, fc.nat()).map(([json, at]) => json.slice(0, 1 + (at % (json.length - 1))));
const wrongBase64: Requests = fc.oneof(
  patch.map((json) => ({ body: json, isBase64Encoded: true })),
  patch.map((json) => ({ ...base64(json), body: `${base64(json).body}\n` })),
  patch.map((json) => ({ ...base64(json), isBase64Encoded: false })),
  patch.map((json) => base64(Buffer.from(json, 'utf16le'))),
  patch.map((json) => base64(`\ufeff${json}`)),
  // {"s":"?"} with bytes that are not UTF-8.
  fc
    .constantFrom('ff', 'c0af', 'eda080', 'f4908080', 'c3')
    .map((bytes) => base64(Buffer.from(`7b2273223a22${bytes}227d`, 'hex'))),
);
const etags = (minLength: number, maxLength: number) =>
  fc
    .array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { minLength, maxLength, size: 'max' })
    .map((versions) => versions.map((version) => `"${version}"`).join(' ,\t'));
/** Entity tags of another form: as numbers, they are the version of the file. */
const foreign = fc.constantFrom(
  '"9999999999999999"',
  '"00"',
  '"0e0"',
  '"0.0"',
  '"-0"',
  '"0x0"',
  '""',
  'W/"0"',
);
const notAnEtag = fc.constantFrom('', ',', '"\0"', '"\u0100"', '"0",,x', '"0"\n"1"');
const otherId = (name: 'spaceId' | 'fileId', good: string): Requests => {
  const tricks = ['', '..', '__proto__', good.toUpperCase(), good.slice(1), 'é'.repeat(600), `acme#${good}`];
  const longer = fc.tuple(any, any).map(([before, after]) => before + good + after);
  return oneOf(tricks, any, longer, around(surrogate))
    .filter((id) => id !== good)
    .map((id) => ({ [name]: id }));
};

const wrong = fc.constantFrom<unknown>(7, [], [[]], ['x'], { a: 7 }, { a: [1] });
const polluting = JSON.parse('{"__proto__":{"version":"2.0"},"constructor":{"prototype":{"body":1}}}');
const notPatch = fc.constantFrom('GET', 'POST', 'patch', 'PATCH ', '');
/** Values that are no PATCH request of our route, and events with a part of another type. */
export const wrongTrigger: Requests = fc.oneof(
  fc.oneof(fc.jsonValue(), fc.constant(polluting)).map((event) => ({ event })),
  fc
    .tuple(fc.constantFrom('headers', 'pathParameters', 'body', 'isBase64Encoded'), wrong)
    .map(([part, value]) => ({ extra: { [part]: value } })),
  fc.tuple(word, wrong).map(([name, value]) => ({ extra: { headers: { [name]: value } } })),
  fc.constantFrom('3.0', '2', 2, '').map((version) => ({ event: anEvent({ extra: { version } }) })),
  notPatch.map((method) => ({ event: anEvent({ extra: { requestContext: { http: { method } } } }) })),
  notPatch.map((httpMethod) => ({ event: aRestEvent({ extra: { httpMethod } }) })),
);

const key = 'editor-key';
const malformedKey = fc.oneof(long('k', 513, 2_000), around(fc.constantFrom(',', '\t', '\0', '\x7f', 'é')));
const unknownKey = oneOf([`${key} `, ` ${key}`, `Bearer ${key}`], word);
const notAKey = fc.oneof(
  fc.constantFrom('', ' ', '""', '"a', '"a" b', '"a"b"', '"a\\b"', '"é"', 'a\tb'),
  bad.map((text) => `${text}é`),
  around(fc.constant(',')),
  long('k', 129, 400),
);
const keySentTwice: Requests = fc.tuple(word, word).map((values) => {
  return { event: aRestEvent({ extra: { multiValueHeaders: { 'Idempotency-Key': values } } }) };
});

/**
 * Bad requests by the response that the contract has for them, and the most calls to DynamoDB that each may cost. What
 * test/requests/contract has by name is not repeated.
 */
export const rows: readonly (readonly [response: string, maxCalls: number, requests: Requests])[] = [
  ['500 Internal Server Error', 0, wrongTrigger],
  ['400 x-user-id is required', 0, header('x-user-id', oneOf([undefined], blank))],
  ['400 x-user-id is invalid', 0, invalidIds('x-user-id', 'grace')],
  ['400 x-tenant-id is required', 0, header('x-tenant-id', oneOf([undefined], blank))],
  ['400 x-tenant-id is invalid', 0, invalidIds('x-tenant-id', 'acme')],
  ['401 Invalid API Key', 0, header('x-api-key', oneOf([undefined, ''], malformedKey))],
  ['401 Invalid API Key', 0, twice('x-api-key', key)],
  ['401 Invalid API Key', 1, header('x-api-key', unknownKey)],
  ['415 Content-Type must be application/json', 1, header('content-type', oneOf([undefined], bad, charsets))],
  [
    '415 Content-Encoding is not supported',
    1,
    header('content-encoding', oneOf(['gzip,identity', ','], bad)),
  ],
  ['400 Request body is required', 1, fc.constantFrom('', null, undefined).map((none) => ({ body: none }))],
  ['400 Request body is not valid JSON', 1, body(any.filter((text) => text !== '' && !isJson(text)))],
  ['400 Request body is not valid JSON', 1, body(fc.tuple(patch, bad).map((parts) => parts.join('')))],
  ['400 Request body is not valid JSON', 1, body(cutOff)],
  ['400 Request body is not valid JSON', 1, wrongBase64],
  ['400 Request body must be a JSON object', 1, body(json.filter((text) => !text.startsWith('{')))],
  [`400 At least one of ${EDITABLE_NAMES} must be provided`, 1, body(fc.constantFrom('{}', ' {\n}\t'))],
  ['413 Request body is too large', 1, body(fc.constantFrom('{"a":'.repeat(30_000), ' '.repeat(131_073)))],
  ['413 File metadata is too large', 2, patch.map((json) => ({ body: json, fileId: 'large' }))],
  ['404 Space not found', 1, otherId('spaceId', 'handbook')],
  ['404 File not found', 2, otherId('fileId', FILE_ID)],
  ['400 If-Match is invalid', 2, header('if-match', fc.oneof(notAnEtag, bad, etags(101, 130)))],
  ['400 Idempotency-Key is invalid', 1, header('idempotency-key', notAKey)],
  ['400 Idempotency-Key is invalid', 1, keySentTwice],
  ['412 File was changed by another request', 2, header('if-match', fc.oneof(foreign, etags(1, 100)))],
];

const readOnly = ['id', 'originalName', 'language', 'domain', 'chunksCount', 'charactersCount', 'tags'];
// JSON.parse treats these names in another way.
const odd = ['__proto__', 'toJSON', '0', '1', '-1'];
const cut = (name: string) => [...name].slice(0, 64).join('');
const textOf = (length: number) =>
  fc.constantFrom('a', 'é', '\\n').map((character) => `"${character.repeat(length)}"`);
const editable = fc.constantFrom('summary', 'documentKind');
type Problem = (name: string) => string;
/** Names of fields, values as JSON, and what is wrong with them: nothing, or the message. */
const fieldRows: readonly (readonly [fc.Arbitrary<string>, fc.Arbitrary<string>, Problem])[] = [
  [editable, fc.constantFrom('null', '"a"'), () => ''],
  [editable, json.filter((value) => !/^("|null$)/.test(value)), (name) => `${name} must be a string or null`],
  [editable, fc.constantFrom('"\ud800"', '"\\udc00"'), (name) => `${name} contains invalid Unicode`],
  [fc.constant('summary'), textOf(10_001), () => 'summary must be at most 10000 characters'],
  [fc.constant('documentKind'), textOf(257), () => 'documentKind must be at most 256 characters'],
  [fc.constantFrom(...readOnly), json, (name) => `Field "${name}" is not editable`],
  [
    oneOf(odd, any, long('nñ😀', 60, 90)).filter((name) => !readOnly.includes(name)),
    json,
    (name) => unknownField(cut(name)),
  ],
];
const field = fc.oneof(
  ...fieldRows.map(([names, values, problem]) =>
    fc.tuple(names, values).map(([name, value]) => ({ name, value, problem: problem(name) })),
  ),
);
/** A field's name as JSON, with or without escapes. */
const spelled = (name: string, isEscaped: boolean) =>
  isEscaped
    ? `"${name.replace(/./gs, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
    : JSON.stringify(name);

const uniqueFields = fc.uniqueArray(field, { selector: ({ name }) => name, minLength: 1, maxLength: 8 });
/** Objects with bad fields, or with one field twice, and the response to each. */
export const badFields = fc
  .tuple(uniqueFields, fc.option(fc.nat()), fc.infiniteStream(fc.boolean()))
  .chain(([unique, repeated, escapes]) => {
    const again = unique.filter((_, n) => repeated !== null && n === repeated % unique.length);
    const members = [...unique, ...again].map(
      ({ name, value }) => `${spelled(name, escapes.next().value)}:${value}`,
    );
    const problems = unique.filter(({ problem }) => problem !== '').map(({ problem }) => problem);
    const duplicate = again.map(({ name }) => `Duplicate field "${cut(name)}"`);
    const message = duplicate[0] ?? problems.slice(0, 5).join('; ');
    return body(fc.constant(`{${members.join(' ,\n')}}`)).map((parts) => ({ parts, message }));
  })
  .filter(({ message }) => message !== '');

const MANY = 1_000_000;
const headers = (name: string, value: string): Parts => ({ headers: { [name]: value } });
const nested = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
/** Requests that are expensive for code that looks at input more often than once. */
export const expensive: readonly (readonly [response: string, parts: Parts])[] = [
  ['400 x-user-id is required', headers('x-user-id', ' '.repeat(5 * MANY))],
  ['400 x-user-id is invalid', headers('x-user-id', '😀'.repeat(MANY))],
  ['400 x-tenant-id is invalid', headers('x-tenant-id', `${' '.repeat(5 * MANY)}x`)],
  ['401 Invalid API Key', headers('x-api-key', 'k'.repeat(2 * MANY))],
  ['415 Content-Type must be application/json', headers('content-type', `a/b${' '.repeat(100_000)}x`)],
  ['415 Content-Type must be application/json', headers('content-type', ';a=b'.repeat(MANY))],
  ['415 Content-Encoding is not supported', headers('content-encoding', `${' '.repeat(MANY)}gzip,`)],
  ['400 If-Match is invalid', headers('if-match', `${','.repeat(5 * MANY)}x`)],
  ['400 Idempotency-Key is invalid', headers('idempotency-key', `"${'\\"'.repeat(MANY)}`)],
  ['400 If-Match is invalid', headers('if-match', `"1"${' \t'.repeat(MANY)}x`)],
  ['404 Space not found', { spaceId: 'a'.repeat(MANY) }],
  ['404 File not found', { fileId: '%41'.repeat(MANY) }],
  ['413 Request body is too large', { body: ' '.repeat(6 * MANY) }],
  ['413 Request body is too large', { body: '='.repeat(6 * MANY), isBase64Encoded: true }],
  ['400 Request body is not valid JSON', { body: '[{"a":'.repeat(20_000) }],
  ['400 summary must be a string or null', { body: `{"summary":${nested}}` }],
  ['400 documentKind must be at most 256 characters', { body: `{"documentKind":"${'\\"'.repeat(60_000)}"}` }],
  ['400 documentKind must be at most 256 characters', { body: `{"documentKind":"${'[:{'.repeat(40_000)}"}` }],
  ['500 Internal Server Error', { event: Array.from({ length: MANY }, () => 0) }],
];
