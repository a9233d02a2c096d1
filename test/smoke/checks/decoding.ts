import type { Expected, Sent } from '../../conformance/case.ts';
import { fileChanged, fileNotFound, refused, spaceNotFound } from '../../conformance/cases/answers.ts';
import { passed } from '../../conformance/runner/result.ts';
import type { World } from '../../conformance/world.ts';
import { isAnswer } from '../is-answer.ts';
import { ask, writesNothing } from '../target.ts';
import { type Check, unexpected } from './check.ts';

type Encoded = {
  name: string;
  toSent: (world: World) => Sent;
  right: readonly (readonly [Expected, note: string])[];
};

const check = ({ name, toSent, right }: Encoded): Check => ({
  name,
  run: async (target) => {
    const sent = { ...toSent(target.world), headers: writesNothing };
    const answer = await ask(target, sent);
    const [, note] = right.find(([expected]) => isAnswer(answer, expected)) ?? [];
    if (note !== undefined) return { outcome: passed, note };
    return unexpected(target, { sent, expected: 'that nothing of this name is found', answer });
  },
});

/** `%2561` for an `a`: an `a` only to whoever decodes it twice. */
const encodeTwice = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%25${byte.toString(16).padStart(2, '0')}`).join('');

const kept = 'it stays in its id';

/** A path is decoded once. What means something in a path may be read before or after that, harmlessly. */
export const decodingChecks: readonly Check[] = [
  check({
    name: 'A path is not decoded twice',
    toSent: ({ spaces }) => ({ space: encodeTwice(spaces.public) }),
    right: [[spaceNotFound, 'it is another id']],
  }),
  check({
    name: 'An encoded slash leads to no other file',
    toSent: () => ({ space: '{spaces.private}%2Fx' }),
    right: [
      [spaceNotFound, kept],
      [refused(404, 'Not Found'), 'API Gateway takes it for two ids'],
    ],
  }),
  check({
    name: 'An encoded question mark leads to no other file',
    toSent: () => ({ file: '{files.private.id}%3Fx' }),
    right: [
      [fileNotFound, kept],
      [fileChanged, 'API Gateway ends the id there, and finds the file before it'],
    ],
  }),
];
