import { UsageError } from '#tools/cli.ts';
import {
  fileChanged,
  fileNotFound,
  keyInvalid,
  notPermitted,
  refused,
  spaceNotFound,
} from '../conformance/cases/answers.ts';
import type { Answer } from '../conformance/http/answer.ts';
import { describeAnswer } from '../conformance/runner/describe.ts';
import { createMask } from '../conformance/runner/mask.ts';
import { isAnswer } from './is-answer.ts';
import { ask, type Target, writesNothing } from './target.ts';

/** What to look at, by the refusal that came in the place of the one that a working set-up gets. */
const advice = [
  [
    keyInvalid,
    'The service does not take the API key; npm run api-key -- identify tells whether the table of this stage has it.',
  ],
  [
    notPermitted,
    'The API key may not write there: it must be of --tenant, with scope PRODUCT and the role editor or admin, and a private space must be owned by --user.',
  ],
  [spaceNotFound, 'The tenant has no such space: look at --tenant and --space.'],
  [fileNotFound, 'The space has no such file: look at --file.'],
  [refused(404, 'Not Found'), 'API Gateway has no such route: --url must end before /v1.'],
] as const;

/**
 * Sends a request that all checks but the last let through and that writes nothing. Gives the answer.
 *
 * @throws {UsageError} when it is any other than 412, with what to look at
 */
export const probe = async (target: Target): Promise<Answer> => {
  const answer = await ask(target, { headers: writesNothing });
  if ('reason' in answer) throw new UsageError(`The service cannot be reached: ${answer.reason}.`);
  if (isAnswer(answer, fileChanged)) return answer;
  const [, sentence] = advice.find(([expected]) => isAnswer(answer, expected)) ?? [];
  throw new UsageError(sentence ?? (await explain(answer, target)));
};

const explain = (answer: Answer, { world }: Target): string => {
  const { status, headers } = answer;
  const requestId = headers['x-request-id'];
  if (status >= 500 && requestId)
    return `The service fails with ${status}: its log line with the requestId ${requestId} has the reason.`;
  if (status >= 500)
    return `The function cannot be run, for the answer is ${status} without x-request-id: its log group has the reason.`;
  const got = describeAnswer(answer, { mask: createMask(world) });
  return `That is not this service, or not as it should be: expected 412 for an If-Match that matches nothing, got ${got}`;
};
