import fc from 'fast-check';
import { pick } from '#test/proof/support/random.ts';
import { seed } from '#test/proof/support/run.ts';
import { anEvent, aRestEvent } from '#test/support/event.ts';
import { answer, type BadRequest, type Format, type Generator, generators } from '../support/generator.ts';
import { int, word } from '../support/text.ts';

const notARequest = (value: unknown): BadRequest => ({ event: { value }, expected: [answer.userMissing] });
const anyJson = fc.sample(fc.jsonValue({ maxDepth: 5 }), { seed, numRuns: 2_000 });
const good = (format: Format) => (format === '1.0' ? aRestEvent() : anEvent());

/** Parts of an event that are read, and values none of them may have. */
const partsOf: Readonly<Record<Format, readonly [string, ...string[]]>> = {
  '1.0': [
    'httpMethod',
    'headers',
    'multiValueHeaders',
    'pathParameters',
    'body',
    'isBase64Encoded',
    'requestContext',
  ],
  '2.0': ['version', 'headers', 'pathParameters', 'body', 'isBase64Encoded', 'requestContext'],
};
const wrongValues: readonly [unknown, ...unknown[]] = [
  7,
  -0,
  'x\u0000',
  [],
  [[]],
  ['x'],
  { a: 7 },
  { a: {} },
  { a: [1] },
];

const withWrongPart = (random: () => number, format: Format): BadRequest => {
  const part = pick(random, partsOf[format]);
  const value = pick(random, wrongValues);
  const fits =
    (part === 'body' && typeof value === 'string') ||
    (part === 'requestContext' && !Array.isArray(value) && typeof value === 'object');
  return notARequest({ ...good(format), [part]: fits ? 7 : value });
};

export const eventShapeGenerators: readonly Generator[] = [
  ...generators('event', {
    'any JSON at all': ({ random }) => notARequest(pick(random, [null, ...anyJson])),
    undefined: () => notARequest(undefined),
    'in a list, or as text': ({ random, format }) =>
      notARequest(
        pick<unknown>(random, [[good(format)], JSON.stringify(good(format)), { body: good(format) }]),
      ),
    'one part of a wrong type': ({ random, format }) => withWrongPart(random, format),
    'another method': ({ random, format }) => {
      const method = pick(random, [
        'GET',
        'PUT',
        'POST',
        'DELETE',
        'OPTIONS',
        'HEAD',
        'patch',
        'PATCH ',
        '',
        'TRACE',
      ]);
      const http = { requestContext: { http: { method } } };
      return notARequest({ ...good(format), ...(format === '1.0' ? { httpMethod: method } : http) });
    },
    'another version': ({ random }) =>
      notARequest({
        ...anEvent(),
        version: pick<unknown>(random, ['3.0', '2', 2, '1.0', null, '', '2.0 ', ['2.0'], '2.00']),
      }),
    'no version and no method': ({ format }) =>
      notARequest({ ...good(format), version: undefined, httpMethod: undefined }),
    'a header of a wrong type': ({ random, format }) => {
      const value = pick<unknown>(random, [7, true, ['grace'], { value: 'grace' }]);
      return notARequest({ ...good(format), headers: { 'x-user-id': 'grace', [word(random)]: value } });
    },
    'a path parameter of a wrong type': ({ random, format }) =>
      notARequest({
        ...good(format),
        pathParameters: { spaceId: pick<unknown>(random, [7, {}, ['handbook'], true]), fileId: 'x' },
      }),
    'keys of the language': ({ random }) =>
      notARequest(
        JSON.parse(
          pick(random, ['{"__proto__":{"version":"2.0"}}', '{"constructor":{"prototype":{"body":1}}}']),
        ),
      ),
  }),
  ...generators(
    'event',
    {
      'a list of a million': ({ random }) =>
        notARequest(Array.from({ length: 1_000_000 }, () => int(random, 0, 9))),
      'as deep as it goes': () => notARequest(JSON.parse(`${'{"body":'.repeat(2_000)}1${'}'.repeat(2_000)}`)),
      'headers of a wrong type, a thousand': ({ format }) =>
        notARequest({
          ...good(format),
          headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`h${n}`, n])),
        }),
    },
    { heavy: true },
  ),
];
