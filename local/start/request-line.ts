import { createPainter, printable } from '#local/terminal.ts';

/** A request that has been answered. */
export type Answered = {
  readonly method: string;
  /** As it was sent, percent-encoded. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** What came of it, in a word or a sentence. */
  readonly outcome: string;
};

/** A longer path is cut: a line is one line. */
const MAX_PATH = 100;

const styleOf = (status: number) => {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
};

/** One line for people: `PATCH /v1/spaces/handbook/files/1  200  12 ms  updated`. */
export const toRequestLine = (
  { method, path, status, ms, outcome }: Answered,
  { colour }: { colour: boolean },
): string => {
  const paint = createPainter(colour);
  const shown = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
  return [
    `${method} ${printable(shown)}`,
    paint(styleOf(status), String(status)),
    paint('dim', `${ms.toFixed(0)} ms`),
    printable(outcome),
  ].join('  ');
};
