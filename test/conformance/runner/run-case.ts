import { before, type Case, type Expected, type Step, stepsOf } from '../case.ts';
import type { Answer, NoAnswer } from '../http/answer.ts';
import { describeAnswer, describeExpected, describeSent } from './describe.ts';
import { isUntouched, note, prepare } from './files.ts';
import { expectedBody, isExpected } from './judge.ts';
import { failed, type Outcome, passed } from './result.ts';
import { exchange, type FileInUse, lookUpFor, type Run } from './run.ts';
import { toView } from './shapes.ts';

/** Runs a case to its first step that is not answered as expected. */
export const runCase = async (
  run: Run,
  { given, file, canPeek }: { given: Case; file: FileInUse; canPeek: boolean },
): Promise<Outcome> => {
  const unready = await prepare(run, file);
  if (unready !== undefined) {
    const got = describeAnswer(unready, run);
    return failed({ sent: `${JSON.stringify(before)}, to prepare the file`, expected: '200', got });
  }
  let earlier: Answer | NoAnswer | undefined;
  for (const step of stepsOf(given)) {
    const { answer, failure } = await runStep(run, { step, file, earlier });
    if (failure !== undefined) return failure;
    earlier = answer;
    // A refusal must have left the file alone.
    if (answer.status !== 200 && canPeek && !(await isUntouched(run, file))) return touched(step, file);
  }
  return passed;
};

type Progress = { step: Step; file: FileInUse; earlier: Answer | NoAnswer | undefined };

const runStep = async (run: Run, { step: { send, expect }, file, earlier }: Progress) => {
  const view = (editable: NonNullable<Expected['file']>) =>
    toView(file.found, { stated: run.world.files[file.name], editable });
  const background = { toView: view, lookUp: lookUpFor(run, { ...file }), earlier };
  const answer = await exchange(run, { file, sent: send, isGateways: expect.status === '4xx' });
  const isGood = isExpected(answer, expect, background);
  if (!isGood || answer.status === 200) note(file, answer);
  if (isGood) return { answer };
  const failure = failed({
    sent: describeSent(send, file.name),
    expected: describeExpected(expect, expectedBody(expect, background)),
    got: describeAnswer(answer, { names: Object.keys(expect.headers ?? {}), mask: run.mask }),
  });
  return { answer, failure };
};

const touched = ({ send }: Step, file: FileInUse): Outcome =>
  failed({
    sent: describeSent(send, file.name),
    expected: 'a file that is as it was before the refusal',
    got: 'a file with another etag',
  });
