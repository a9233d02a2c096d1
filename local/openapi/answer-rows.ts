import type { ErrorCode } from '#lib/domain/errors.ts';
import { answers } from '#lib/http/responses.ts';
import { answerNotes, successNote } from './answer-notes.ts';
import type { Occasion } from './occasion.ts';

/** One line of the table of answers. */
export type AnswerRow = Pick<Occasion, 'at' | 'when'> & {
  /** Whether it stands in tables. */
  readonly listed: boolean;
  readonly status: number;
  /** Messages by the name of their example; none for the one answer that is no error. */
  readonly messages: Readonly<Record<string, string>>;
  /** What comes along besides the message. */
  readonly along: readonly string[];
};

const isCode = (name: string): name is ErrorCode => Object.hasOwn(answers, name);

const rowsOf = (code: ErrorCode): readonly AnswerRow[] => {
  const { status, message, headers = {} } = answers[code];
  return answerNotes[code].map(({ at, when, name = code, aside = false, along, messages }) => ({
    at,
    when,
    listed: !aside,
    status,
    messages: messages ?? { [name]: message },
    along: [
      ...Object.keys(headers).map((header) => `\`${header}\``),
      ...(along === undefined ? [] : [along]),
    ],
  }));
};

const success: AnswerRow = { ...successNote, listed: true, status: 200, messages: {}, along: ['`etag`'] };

/** Every answer that the function gives, in the order of its checks. */
export const answerRows: readonly AnswerRow[] = [
  ...Object.keys(answers).filter(isCode).flatMap(rowsOf),
  success,
].toSorted((one, other) => (one.at < other.at ? -1 : 1));
