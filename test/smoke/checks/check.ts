import type { Sent } from '../../conformance/case.ts';
import type { Answer, NoAnswer } from '../../conformance/http/answer.ts';
import { describeAnswer, describeSent } from '../../conformance/runner/describe.ts';
import { createMask } from '../../conformance/runner/mask.ts';
import { failed, type Outcome } from '../../conformance/runner/result.ts';
import { file, type Target } from '../target.ts';

/** What came of a check, and what it saw where more than one thing is right. */
export type Seen = { readonly outcome: Outcome; readonly note?: string };

/** What no case of the contract can show. `first` is the answer to the first request. */
export type Check = {
  readonly name: string;
  readonly run: (target: Target, first: Answer) => Promise<Seen>;
};

/** An answer that is not the expected one. */
export const unexpected = (
  { world }: Target,
  { sent, expected, answer }: { sent: Sent; expected: string; answer: Answer | NoAnswer },
): Seen => ({
  outcome: failed({
    sent: describeSent(sent, file),
    expected,
    got: describeAnswer(answer, { mask: createMask(world) }),
  }),
});
