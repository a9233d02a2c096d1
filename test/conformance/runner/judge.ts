import { isDeepStrictEqual } from 'node:util';
import type { Editable, Expected } from '../case.ts';
import type { Answer, NoAnswer } from '../http/answer.ts';
import { fill, type LookUp } from '../http/template.ts';

/** JSON as it was sent, or undefined where it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What an answer is held against: the file's fields that never change, the values there are, the answer before. */
export type Background = {
  readonly toView: (editable: Editable) => unknown;
  readonly lookUp: LookUp;
  readonly earlier: Answer | NoAnswer | undefined;
};

/** The whole body that is expected; undefined where the contract leaves it open. */
export const expectedBody = (
  { message, file }: Expected,
  { toView }: Pick<Background, 'toView'>,
): unknown => {
  if (message !== undefined) return { message };
  return file === undefined ? undefined : toView(file);
};

const hasStatus = (expected: Expected['status'], status: number): boolean =>
  expected === '4xx' ? status >= 400 && status < 500 : status === expected;

/** Whether an answer is the expected one. */
export const isExpected = (
  answer: Answer | NoAnswer,
  expected: Expected,
  background: Background,
): answer is Answer => {
  if ('reason' in answer || !hasStatus(expected.status, answer.status)) return false;
  const body = expectedBody(expected, background);
  if (body !== undefined && !isDeepStrictEqual(parseJson(answer.text), body)) return false;
  if (expected.sameBytes && !hasSameBytes(answer, background.earlier)) return false;
  return Object.entries(expected.headers ?? {}).every(
    ([name, value]) => answer.headers[name] === fill(value, background.lookUp),
  );
};

const hasSameBytes = (answer: Answer, earlier: Answer | NoAnswer | undefined): boolean =>
  earlier !== undefined && 'text' in earlier && earlier.text === answer.text;
