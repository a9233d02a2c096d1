import { UsageError } from '#tools/cli.ts';

/** A page with the part between two lines of comment put in anew. @throws {UsageError} where the lines are not there once */
export const replaceMarkedPart = (
  page: string,
  { from, to, part }: { from: string; to: string; part: string },
): string => {
  const [before, rest, ...repeated] = page.split(`${from}\n`);
  const [, after, ...closedAgain] = rest?.split(`${to}\n`) ?? [];
  if (before === undefined || after === undefined || repeated.length + closedAgain.length > 0)
    throw new UsageError(`"${from}" and "${to}" must stand once, each on a line of its own.`);
  return `${before}${from}\n${part}\n${to}\n${after}`;
};
