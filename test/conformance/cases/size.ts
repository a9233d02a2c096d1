import type { Group } from '../case.ts';
import { tooLarge, updated } from './answers.ts';

/** A body of exactly so many bytes; white space after JSON means nothing. */
const ofBytes = (bytes: number) => '{"summary":"As large as may be."}'.padEnd(bytes, ' ');
/** An escaped e acute takes six bytes here and two in UTF-8. */
const escapedToTheLimit = `{"summary":"${'\\u00e9'.repeat(10_000)}","documentKind":"${'\\u00e9'.repeat(256)}"}`;

/** Row 4 of the contract's table, third: not too large. */
export const size: Group = {
  title: 'Size',
  cases: [
    {
      name: 'A body of 131072 bytes is taken',
      send: { body: ofBytes(131_072) },
      expect: updated('As large as may be.', 'before'),
    },
    { name: 'A body of 131073 bytes is refused', send: { body: ofBytes(131_073) }, expect: tooLarge },
    {
      name: 'Bytes are counted, not characters',
      send: { body: `{"summary":"${'é'.repeat(65_600)}"}` },
      expect: tooLarge,
    },
    {
      name: 'A body is too large before it is anything else',
      send: { body: 'x'.repeat(200_000) },
      expect: tooLarge,
    },
    {
      name: 'A body whose length was not announced counts the same',
      send: { body: ofBytes(131_073), chunked: true },
      expect: tooLarge,
    },
    {
      name: 'Both fields at their limits, escaped to the last character, fit into a body',
      send: { body: escapedToTheLimit },
      expect: updated('é'.repeat(10_000), 'é'.repeat(256)),
    },
  ],
};
