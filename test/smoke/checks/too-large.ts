import { refused } from '../../conformance/cases/answers.ts';
import { passed, skipped } from '../../conformance/runner/result.ts';
import { isAnswer } from '../is-answer.ts';
import { ask, writesNothing } from '../target.ts';
import { type Check, unexpected } from './check.ts';

/** API Gateway's payload quota is 10 MB. */
const tooManyBytes = 10 * 1024 * 1024 + 1;

/** What is too large never reaches the function. */
export const tooLarge: Check = {
  name: 'API Gateway itself refuses a body above 10 MB',
  run: async (target) => {
    const body = new Uint8Array(tooManyBytes).fill(0x20);
    const answer = await ask(target, { body, headers: writesNothing });
    if (isAnswer(answer, refused(413, 'Request Entity Too Large'))) return { outcome: passed };
    if ('reason' in answer && answer.reason.startsWith('no answer within'))
      return { outcome: skipped('10 MB did not get there in time') };
    const sent = { body: '10 MB of spaces', headers: writesNothing };
    return unexpected(target, { sent, expected: '413; {"message":"Request Entity Too Large"}', answer });
  },
};
