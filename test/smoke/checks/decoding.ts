import type { Expected, Sent } from '../../conformance/case.ts';
import { fileChanged, fileNotFound, refused, spaceNotFound } from '../../conformance/cases/answers.ts';
import { passed } from '../../conformance/runner/result.ts';
import { isAnswer } from '../is-answer.ts';
import { ask, writesNothing } from '../target.ts';
import { type Check, unexpected } from './check.ts';

type Encoded = {
  name: string;
  sends: Sent;
  right: readonly (readonly [Expected, note: string])[];
};

const check = ({ name, sends, right }: Encoded): Check => ({
  name,
  run: async (target) => {
    const sent = { ...sends, headers: writesNothing };
    const answer = await ask(target, sent);
    const [, note] = right.find(([expected]) => isAnswer(answer, expected)) ?? [];
    if (note !== undefined) return { outcome: passed, note };
    return unexpected(target, { sent, expected: 'that nothing of this name is found', answer });
  },
});

const kept = 'it stays in its id';

/** A path is decoded once. What means something in a path may be read before or after that, harmlessly. */
export const decodingChecks: readonly Check[] = [
  check({
    name: 'A path is not decoded twice',
    sends: { space: '{spaces.public|twice}' },
    right: [[spaceNotFound, 'it is another id']],
  }),
  check({
    name: 'An encoded slash leads to no other file',
    sends: { space: '{spaces.private}%2Fx' },
    right: [
      [spaceNotFound, kept],
      [refused(404, 'Not Found'), 'API Gateway takes it for two ids'],
    ],
  }),
  check({
    name: 'An encoded question mark leads to no other file',
    sends: { file: '{files.private.id}%3Fx' },
    right: [
      [fileNotFound, kept],
      [fileChanged, 'API Gateway ends the id there, and finds the file before it'],
    ],
  }),
];
