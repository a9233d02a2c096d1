/** The checks run in six steps. */
export type Step = 1 | 2 | 3 | 4 | 5 | 6;

/** When a failure is answered. */
export type Occasion = {
  /** Its place in the order of checks: the step, and a letter for its turn within the step. */
  readonly at: `${Step}${string}`;
  /** When it happens, in words that may stand in a table cell. */
  readonly when: string;
  /** What its example is called; else as its code. */
  readonly name?: string;
  /** What comes along besides the message and the headers of the table of answers. */
  readonly along?: string;
  /** Left out of tables, because the page tells of it in words. */
  readonly aside?: true;
  /** Messages by the name of their example, for a code that has no single message. The first is shown in tables. */
  readonly messages?: Readonly<Record<string, string>>;
};
