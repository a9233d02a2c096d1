import type { Case, Group, Sent } from '../case.ts';
import { refused } from './answers.ts';
import { faults } from './one-fault-per-check.ts';

/** The parts of a request that a fault is made of. */
const partsOf = ({ headers = {}, ...rest }: Sent) => [...Object.keys(headers), ...Object.keys(rest)];

/** Both faults in one request; undefined where they need the same part of it. */
const merge = (one: Sent, other: Sent): Sent | undefined => {
  const parts = partsOf(one);
  if (partsOf(other).some((part) => parts.includes(part))) return undefined;
  return { ...one, ...other, headers: { ...one.headers, ...other.headers } };
};

const pairs = faults.flatMap((first, index) =>
  faults.slice(index + 1).flatMap((second): readonly Case[] => {
    const send = merge(first.send, second.send);
    return send === undefined
      ? []
      : [{ name: `Of ${first.what} and ${second.what}, the first is told`, send, expect: first.expect }];
  }),
);

/** Orders within the body, which has only one of these at a time. */
const withinBody: readonly (readonly [first: string, second: string, body: string, message: string])[] = [
  ['a duplicate', 'an unknown field', '{"x":1,"summary":"A","summary":"B"}', 'Duplicate field "summary"'],
  ['a duplicate', 'a wrong type', '{"summary":1,"summary":2}', 'Duplicate field "summary"'],
  ['broken JSON', 'a duplicate', '{"summary":"A","summary":"B"', 'Request body is not valid JSON'],
  ['broken JSON', 'a list', '[1,', 'Request body is not valid JSON'],
];

/** The first check that fails answers: two faults at once, of every pair of checks. */
export const precedence: Group = {
  title: 'Order of checks',
  cases: [
    ...pairs,
    ...withinBody.map(
      ([first, second, body, message]): Case => ({
        name: `Of ${first} and ${second} in a body, the first is told`,
        send: { body },
        expect: refused(400, message),
      }),
    ),
  ],
};
