import { pick } from '#test/proof/support/random.ts';
import { answer, type BadRequest, type Generator, generators } from '../support/generator.ts';
import { anyCase, blank, insert, int, unicode, word } from '../support/text.ts';

const KEY = 'editor-key';
const withKey = (key: string | undefined): BadRequest => ({
  headers: { 'x-api-key': key },
  expected: [answer.keyInvalid],
});
const denied = (headers: Record<string, string>): BadRequest => ({ headers, expected: [answer.denied] });

export const apiKeyGenerators: readonly Generator[] = [
  ...generators('x-api-key', {
    'missing or empty': ({ random }) => withKey(pick(random, [undefined, ''])),
    blank: ({ random }) => withKey(blank(random)),
    garbage: ({ random }) => withKey(`sfk_${word(random, int(random, 1, 500))}`),
    'beyond ASCII': ({ random }) => withKey(`${unicode(random)}é`),
    'a control character inside': ({ random }) =>
      withKey(insert(random, KEY, String.fromCharCode(int(random, 0, 31)))),
    'too long': ({ random }) => withKey(KEY + word(random, int(random, 503, 2000))),
    'a near miss': ({ random }) =>
      withKey(
        // biome-ignore format: a table
        pick(random, [
          `${KEY} `, ` ${KEY}`, `${KEY}\t`, KEY.slice(1), KEY.slice(0, -1), `${KEY}${word(random)}`, KEY.toUpperCase(),
          KEY.replace('e', 'е'), `Bearer ${KEY}`, `"${KEY}"`, KEY.replace('-', '%2D'), `${KEY}\0`,
        ]),
      ),
    'sent twice, joined': ({ random }) => withKey(`${KEY},${pick(random, [KEY, word(random)])}`),
    'two spellings': ({ random }) => {
      const spelling = anyCase(random, 'x-api-key');
      const other = spelling === 'x-api-key' ? 'X-API-KEY' : spelling;
      return { headers: { [other]: word(random) }, expected: [answer.keyInvalid] };
    },
    'in another header': ({ random }) => ({
      headers: {
        'x-api-key': undefined,
        [pick(random, ['authorization', 'x-apikey', 'x_api_key', 'api-key'])]: KEY,
      },
      expected: [answer.keyInvalid],
    }),
    'revoked or expired': ({ random }) => withKey(pick(random, ['revoked-key', 'expired-key'])),
    'of a viewer, another scope or another tenant': ({ random }) =>
      denied({ 'x-api-key': pick(random, ['viewer-key', 'other-scope-key', 'globex-key']) }),
  }),
  ...generators('tenant and user', {
    'a tenant that only looks like the right one': ({ random }) =>
      denied({
        'x-tenant-id': pick(random, [
          'Acme',
          'ACME',
          'аcme',
          'ａｃｍｅ',
          'acme.',
          'acm',
          'acmee',
          'acme\u0301',
          '%61cme',
        ]),
      }),
    'any other tenant': ({ random }) => denied({ 'x-tenant-id': `x${word(random)}` }),
    'a user who only looks like the owner of a private space': ({ random, format }) => ({
      spaceId: pick(random, ['vault', format === '1.0' ? '%76ault' : 'vault']),
      headers: { 'x-user-id': pick(random, ['Ada', 'аda', 'ada.', 'ad', 'adа', 'null', 'undefined', '*']) },
      expected: [answer.denied],
    }),
  }),
  ...generators(
    'x-api-key',
    {
      'of megabytes': ({ random }) =>
        withKey(pick(random, ['k', 'é', '\u0007', '😀']).repeat(int(random, 1_000_000, 2_500_000))),
    },
    { heavy: true },
  ),
];
