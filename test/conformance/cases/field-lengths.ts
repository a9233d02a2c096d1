import type { Case, Group } from '../case.ts';
import { refused, updated } from './answers.ts';

const limits = [
  ['summary', 10_000],
  ['documentKind', 256],
] as const;
type Field = (typeof limits)[number][0];

/** One field set, the other as it was before. */
const set = (field: Field, value: string) =>
  field === 'summary' ? updated(value, 'before') : updated('Before.', value);

const lengthCases = ([field, limit]: (typeof limits)[number]): readonly Case[] => {
  const kinds = { letters: 'a', 'accented letters': 'é', 'letters beyond the first plane': '𝒜' };
  return Object.entries(kinds).flatMap(([what, letter]) => [
    {
      name: `${field} takes ${limit} ${what}`,
      send: { body: JSON.stringify({ [field]: letter.repeat(limit) }) },
      expect: set(field, letter.repeat(limit)),
    },
    {
      name: `${field} takes no ${limit + 1} ${what}`,
      send: { body: JSON.stringify({ [field]: letter.repeat(limit + 1) }) },
      expect: refused(400, `${field} must be at most ${limit} characters`),
    },
  ]);
};

/** Row 4 of the contract's table, second to last: limits count code points, at the limit and one above. */
export const fieldLengths: Group = { title: 'Lengths of fields', cases: limits.flatMap(lengthCases) };
