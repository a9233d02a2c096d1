import { pick } from '#test/proof/support/random.ts';
import { FILE_ID } from '#test/support/given.ts';
import { answer, type Format, type Generator, generators } from '../support/generator.ts';
import { blank, insert, int, loneSurrogate, unicode, word } from '../support/text.ts';

type Make = Generator['make'];
type Ids = { readonly random: () => number; readonly format: Format; readonly good: string };

/** What the id reads as once the format's encoding is undone. */
const sent = (format: Format, decoded: string) => (format === '1.0' ? encodeURIComponent(decoded) : decoded);

const around = ({ random, good }: Ids): string =>
  // biome-ignore format: a table
  pick(random, [
    `../${good}`, `./${good}`, `${good}/..`, `${good}/.`, `/${good}`, `${good}/`, `//${good}`, `..\\${good}`,
    `x/../${good}`, `../../spaces/handbook/files/${good}`, `/etc/passwd`, `....//${good}`, `~/${good}`,
  ]);
const suffixed = ({ random, good }: Ids): string =>
  `${good}${pick(random, [';', ';v=1', '?x', '#', '#x', '%', '%2', '\0', '\n', ' ', '.', '*', '|', ':', '&'])}`;

/** Each way to name something that is not there: what the id reads as. */
const decodedIds: Readonly<Record<string, (ids: Ids) => string>> = {
  traversal: around,
  'a delimiter behind it': suffixed,
  'still encoded after decoding': ({ random, good }) =>
    pick(random, [
      `%2F${good}`,
      `${good}%00`,
      `%2e%2e%2f${good}`,
      `%252F${good}`,
      `${good}%2500`,
      `%u002f${good}`,
    ]),
  'a prefix or part': ({ random, good }) => good.slice(0, int(random, 1, good.length - 1)),
  'something inside': ({ random, good }) => insert(random, good, unicode(random, 2)),
  'any text': ({ random }) => `x${unicode(random)}`,
  'not to be seen': ({ random }) => blank(random),
  'another letter case': ({ good }) => good.toUpperCase(),
  'names of the language': ({ random }) =>
    pick(random, ['__proto__', 'constructor', 'undefined', 'null', 'NaN']),
  'longer than a key may be': ({ random }) => pick(random, ['a', 'é', '😀']).repeat(int(random, 1025, 4000)),
  'nothing at all': () => '',
  'the other id': ({ good }) => (good === 'handbook' ? FILE_ID : 'handbook'),
  'marks that join keys elsewhere': ({ random, good }) =>
    pick(random, [
      `acme#${good}`,
      `acme|${good}`,
      `acme/${good}`,
      `acme,${good}`,
      `${good}#${good}`,
      `acme:${good}`,
    ]),
};

const makersFor = (part: 'spaceId' | 'fileId', good: string, expected: string): Record<string, Make> => ({
  ...Object.fromEntries(
    Object.entries(decodedIds).map(([name, make]): [string, Make] => [
      name,
      ({ random, format }) => ({
        [part]: sent(format, make({ random, format, good })),
        expected: [expected],
      }),
    ]),
  ),
  'broken or over-long encoding': ({ random, format }) => ({
    // biome-ignore format: a table
    [part]: pick(random, [
      '%', '%2', '%zz', '%ff', `${good}%`, '%c0%ae', '%ed%a0%80', '%f8%88%80%80%80', '%25', '%2525', `%00${good}`,
      format === '1.0' ? `${good}%2F` : `%68${good.slice(1)}`,
    ]),
    expected: [expected],
  }),
  'a lone surrogate': ({ random }) => ({
    [part]: insert(random, good, loneSurrogate(random)),
    expected: [expected],
  }),
  'a parameter of another name': ({ random }) => ({
    extra: {
      pathParameters: {
        ...(part === 'spaceId' ? { fileId: FILE_ID } : { spaceId: 'handbook' }),
        [pick(random, [part.toLowerCase(), part.toUpperCase(), `${part} `, 'id', 'proxy'])]: good,
      },
    },
    expected: [expected],
  }),
});

export const pathGenerators: readonly Generator[] = [
  ...generators('space id', makersFor('spaceId', 'handbook', answer.noSpace)),
  ...generators('file id', makersFor('fileId', FILE_ID, answer.noFile)),
  ...generators('path', {
    'no parameters': ({ random }) => ({
      extra: { pathParameters: pick(random, [null, undefined, {}]) },
      expected: [answer.noSpace],
    }),
    'a good path beside parameters that are not': ({ random }) => ({
      extra: { pathParameters: { spaceId: word(random, 30), fileId: FILE_ID } },
      expected: [answer.noSpace],
    }),
  }),
  ...generators(
    'path',
    {
      'ids of megabytes': ({ random }) => ({
        [pick(random, ['spaceId', 'fileId'])]: pick(random, ['a', '😀', '%41', '\ud800']).repeat(1_000_000),
        expected: [answer.noSpace, answer.noFile],
      }),
    },
    { heavy: true },
  ),
];
