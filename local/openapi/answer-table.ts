import { type AnswerRow, answerRows } from './answer-rows.ts';

const answerOf = ({ messages, along }: AnswerRow): string => {
  const [message] = Object.values(messages);
  const words = message === undefined ? 'the file' : `\`${message}\``;
  return [words, ...along.map((what) => `with ${what}`)].join(', ');
};

/** The number of a step stands at its first line only. */
const stepOf = ({ at }: AnswerRow, before: AnswerRow | undefined): string =>
  at[0] === undefined || at[0] === before?.at[0] ? '' : at[0];

const line = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (cell === '' ? '| ' : `| ${cell} `)).join('')}|`;

/** The table of answers of docs/contract.md, in the order of the checks. */
export const answerTable = (): string => {
  const rows = answerRows.filter(({ listed }) => listed);
  return [
    line(['#', 'when', 'status', 'message']),
    '|---|---|---|---|',
    ...rows.map((row, index) => line([stepOf(row, rows[index - 1]), row.when, row.status, answerOf(row)])),
  ].join('\n');
};
