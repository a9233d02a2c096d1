import { pick } from '#test/proof/support/random.ts';
import { answer, type BadRequest, type Generator, generators } from '../support/generator.ts';
import { anyCase, int, unicode, word } from '../support/text.ts';

const needed: readonly [string, ...string[]] = ['x-user-id', 'x-tenant-id', 'x-api-key'];
const refusalOf: Readonly<Record<string, string>> = {
  'x-user-id': '400 x-user-id is invalid',
  'x-tenant-id': '400 x-tenant-id is invalid',
  'x-api-key': answer.keyInvalid,
};

/** In format 1.0 a header stands in two places. Both tell here what they like. */
const multi = (
  headers: Record<string, unknown>,
  multiValueHeaders: unknown,
  expected: string,
): BadRequest => ({
  extra: { httpMethod: 'PATCH', version: '1.0', headers, multiValueHeaders },
  expected: [expected],
});
const good: Readonly<Record<string, string>> = {
  'x-user-id': 'grace',
  'x-tenant-id': 'acme',
  'x-api-key': 'editor-key',
  'content-type': 'application/json',
};

export const headerGenerators: readonly Generator[] = [
  ...generators('headers', {
    'two values in multiValueHeaders': ({ random }) => {
      const name = pick(random, needed);
      const values = [good[name], word(random)];
      return multi(
        { ...good, [name]: values[1] },
        { [anyCase(random, name)]: values },
        refusalOf[name] ?? '',
      );
    },
    'one value in headers, another in multiValueHeaders': ({ random }) => {
      const name = pick(random, needed);
      return multi(good, { [anyCase(random, name)]: [word(random)] }, refusalOf[name] ?? '');
    },
    'empty lists and nulls': ({ random }) =>
      multi(
        { ...good, 'x-user-id': null },
        pick<unknown>(random, [{ 'x-user-id': [] }, { 'x-user-id': null }, null, {}]),
        answer.userMissing,
      ),
    'names of the language': ({ random }) => ({
      headers: {
        ...Object.fromEntries([
          [pick(random, ['__proto__', 'constructor', 'toString', 'hasOwnProperty']), 'x'],
        ]),
        'x-user-id': undefined,
      },
      expected: [answer.userMissing],
    }),
    'odd names': ({ random }) => ({
      headers: { '': 'x', ' ': 'x', [unicode(random)]: 'x', 'x-user-id ': 'grace', 'x-user-id': undefined },
      expected: [answer.userMissing],
    }),
    'hundreds of them': ({ random }) => ({
      headers: {
        ...Object.fromEntries(
          Array.from({ length: int(random, 50, 300) }, (_, n) => [`x-${n}`, word(random)]),
        ),
        'x-api-key': undefined,
      },
      expected: [answer.keyInvalid],
    }),
    'another method asked for in a header': ({ random }) => ({
      headers: {
        [pick(random, ['x-http-method-override', 'x-http-method', 'x-method-override'])]: 'PUT',
        'x-original-url': '/v1/spaces/vault/files/x',
        'content-type': undefined,
      },
      expected: [answer.mediaType],
    }),
    'gone altogether': ({ random }) => ({
      extra: {
        headers: pick(random, [null, {}, undefined]),
        multiValueHeaders: pick(random, [null, {}, undefined]),
      },
      expected: [answer.userMissing],
    }),
  }),
  ...generators(
    'headers',
    {
      'more of them than API Gateway lets through': ({ random }) => ({
        headers: {
          ...Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`x-${n}`, 'v'])),
          'x-user-id': ' '.repeat(int(random, 0, 3)),
        },
        expected: [answer.userMissing],
      }),
      'a thousand spellings of one name': ({ random }) => ({
        headers: {
          ...Object.fromEntries(
            Array.from({ length: 1_000 }, () => [anyCase(random, 'x-forwarded-for-somebody'), 'v']),
          ),
          'x-user-id': undefined,
        },
        expected: [answer.userMissing],
      }),
      'ten thousand values of one name': ({ random }) =>
        multi(
          good,
          { 'x-user-id': Array.from({ length: 10_000 }, () => word(random, 3)) },
          refusalOf['x-user-id'] ?? '',
        ),
      'one of megabytes that nobody reads': ({ random }) => ({
        headers: { cookie: 'c'.repeat(int(random, 1_000_000, 5_000_000)), 'x-user-id': undefined },
        expected: [answer.userMissing],
      }),
    },
    { heavy: true },
  ),
];
