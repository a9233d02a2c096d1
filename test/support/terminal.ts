/** What of a stream matters for how text looks on it. */
type Output = { readonly isTTY?: boolean | undefined };

/** Whether to write in colours: to a terminal, unless NO_COLOR is set to anything (https://no-color.org). */
export const usesColour = ({ isTTY }: Output, env: Readonly<Record<string, string | undefined>>): boolean =>
  isTTY === true && !env['NO_COLOR'];

const codes = { red: 31, green: 32, yellow: 33, dim: 2 } as const;

/** Gives a painter that paints, or leaves text as it is. */
export const createPainter =
  (colour: boolean) =>
  (style: keyof typeof codes, text: string): string =>
    colour ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;

/** Without what would move the cursor or change colours: text that a stranger sent. */
export const printable = (text: string): string => text.replace(/\p{C}/gu, '?');
