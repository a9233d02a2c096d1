import { refused, userIdMissing } from '../../conformance/cases/answers.ts';
import type { Answer, NoAnswer } from '../../conformance/http/answer.ts';
import { createClient } from '../../conformance/http/client.ts';
import { describeAnswer } from '../../conformance/runner/describe.ts';
import { createMask } from '../../conformance/runner/mask.ts';
import { failed, passed, skipped } from '../../conformance/runner/result.ts';
import { isAnswer } from '../is-answer.ts';
import { ask, type Target } from '../target.ts';
import type { Check } from './check.ts';

const atOnce = 50;

/** Refused in the first step: costs an invocation and no read. */
const cheap = { headers: { 'x-user-id': null } };

const sendAll = async (target: Target, count: number): Promise<readonly (Answer | NoAnswer)[]> => {
  const answers: (Answer | NoAnswer)[] = [];
  let left = count;
  const sender = async () => {
    const client = createClient(target.baseUrl);
    while (left > 0) {
      left -= 1;
      answers.push(await ask({ ...target, client }, cheap));
    }
    client.close();
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, sender));
  return answers;
};

/** More than the stage admits is refused by API Gateway, and the rest served. */
export const burst = (count: number): Check => ({
  name: 'API Gateway itself refuses what comes too fast',
  run: async (target) => {
    if (count === 0) return { outcome: skipped('--burst N tries it') };
    const answers = await sendAll(target, count);
    const rest = answers.filter((answer) => !isAnswer(answer, refused(429, 'Too Many Requests')));
    const odd = rest.find((answer) => !isAnswer(answer, userIdMissing));
    const throttled = `${count - rest.length} of ${count} were answered 429`;
    if (odd === undefined && rest.length < count) return { outcome: passed, note: throttled };
    const seen = odd && `; one was answered ${describeAnswer(odd, { mask: createMask(target.world) })}`;
    const expected = 'some 429; {"message":"Too Many Requests"}, the rest 400 for a missing x-user-id';
    const sent = `${count} requests without x-user-id, ${atOnce} at a time`;
    return { outcome: failed({ sent, expected, got: `${throttled}${seen ?? ''}` }) };
  },
});
