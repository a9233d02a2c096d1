import type { Expected } from '../conformance/case.ts';
import type { Answer, NoAnswer } from '../conformance/http/answer.ts';
import { isExpected } from '../conformance/runner/judge.ts';

/** Whether an answer is this refusal; of an etag only that it is there. */
export const isAnswer = (answer: Answer | NoAnswer, expected: Expected): answer is Answer => {
  const lookUp = (name: string) =>
    name === 'etag' && 'headers' in answer ? answer.headers['etag'] : undefined;
  return isExpected(answer, expected, { toView: () => undefined, lookUp, earlier: undefined });
};
