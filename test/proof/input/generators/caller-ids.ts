import { pick } from '#test/proof/support/random.ts';
import { type BadRequest, type Generator, generators } from '../support/generator.ts';
import {
  anyCase,
  blank,
  forbiddenInIds,
  insert,
  int,
  loneSurrogate,
  unicode,
  word,
} from '../support/text.ts';

type Make = Generator['make'];

/** Both ids obey the same rules; every way to break one is made for each. */
const forHeader = (header: string, good: string): Readonly<Record<string, Make>> => {
  const invalid = (value: string): BadRequest => ({
    headers: { [header]: value },
    expected: [`400 ${header} is invalid`],
  });
  const required = (value: string | undefined): BadRequest => ({
    headers: { [header]: value },
    expected: [`400 ${header} is required`],
  });
  return {
    missing: () => required(undefined),
    empty: () => required(''),
    blank: ({ random }) => required(blank(random)),
    'a forbidden character inside': ({ random }) =>
      invalid(`${word(random)}${insert(random, word(random), pick(random, forbiddenInIds))}`),
    'a header smuggled behind a line break': ({ random }) =>
      invalid(
        `${good}\r\n${pick(random, ['x-tenant-id: globex', 'x-api-key: admin', '\r\nPATCH / HTTP/1.1'])}`,
      ),
    'a lone surrogate': ({ random }) => invalid(insert(random, word(random), loneSurrogate(random))),
    'too long': ({ random }) => invalid(unicode(random, int(random, 129, 400))),
    'sent twice, joined': ({ random }) => invalid(`${good},${pick(random, [good, word(random)])}`),
    'two spellings': ({ random }) => {
      const spelling = anyCase(random, header);
      const other = spelling === header ? header.toUpperCase() : spelling;
      return { headers: { [header]: good, [other]: word(random) }, expected: [`400 ${header} is invalid`] };
    },
    'given only where it does not count': ({ random, format }) => ({
      headers: { [header]: undefined, [`${header}s`]: good, [`x-${header}`]: good, [header.slice(2)]: good },
      extra:
        format === '2.0'
          ? { queryStringParameters: { [header]: good }, cookies: [`${header}=${word(random)}`] }
          : {
              queryStringParameters: { [header]: good },
              multiValueQueryStringParameters: { [header]: [good] },
            },
      expected: [`400 ${header} is required`],
    }),
    'spaces around it': ({ random }) => {
      const [before, after] = pick(random, [
        [' ', ''],
        ['', ' '],
        ['\t', '\n'],
      ]);
      return invalid(before + good + after);
    },
  };
};

const long = (header: string): Readonly<Record<string, Make>> => ({
  [`${header} of megabytes`]: ({ random }) => ({
    headers: { [header]: pick(random, ['a', '😀', 'é', 'a,']).repeat(int(random, 500_000, 1_000_000)) },
    expected: [`400 ${header} is invalid`],
  }),
  [`${header} of megabytes of white space`]: ({ random }) => ({
    headers: { [header]: ' '.repeat(int(random, 1_000_000, 5_000_000)) },
    expected: [`400 ${header} is required`],
  }),
  [`${header} of megabytes of white space before a letter`]: ({ random }) => ({
    headers: { [header]: `${' '.repeat(int(random, 1_000_000, 5_000_000))}x` },
    expected: [`400 ${header} is invalid`],
  }),
});

export const callerIdGenerators: readonly Generator[] = [
  ...generators('x-user-id', forHeader('x-user-id', 'grace')),
  ...generators('x-tenant-id', forHeader('x-tenant-id', 'acme')),
  ...generators('ids', { ...long('x-user-id'), ...long('x-tenant-id') }, { heavy: true }),
];
