import { answerRows } from './answer-rows.ts';

/** A named example of an error body. */
export type ErrorExample = {
  readonly summary: string;
  readonly description: string;
  readonly value: { readonly message: string };
};

/** An example of an error body, by its message and when it is answered. */
export const errorExample = (message: string, description: string): ErrorExample => ({
  summary: message,
  description,
  value: { message },
});

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** The errors of one status as named examples, in the order of the checks. */
export const errorExamples = (status: number): Readonly<Record<string, ErrorExample>> =>
  Object.fromEntries(
    answerRows
      .filter((row) => row.status === status)
      .flatMap(({ at, when, messages }) => {
        // What goes wrong on our side may do so at any step.
        const description = status < 500 ? `Step ${at[0]}: ${when}.` : sentence(when);
        return Object.entries(messages).map(([name, message]) => [name, errorExample(message, description)]);
      }),
  );
