import { createPainter } from '#test/support/terminal.ts';
import type { Result } from '../runner/result.ts';
import type { Ending } from '../runner/run-suite.ts';

/** How many cases came to which end. */
export const count = (results: readonly Result[]) => {
  const of = (kind: Result['outcome']['kind']) =>
    results.filter(({ outcome }) => outcome.kind === kind).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped'), 'not run': of('not run') };
};

/** `12 passed, 1 failed`: what there was none of is left out. */
export const countText = (results: readonly Result[]): string =>
  Object.entries(count(results))
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => `${number} ${kind}`)
    .join(', ');

/** Whether something was shown, nothing failed, and the files are left as they were found. */
export const isFine = (results: readonly Result[], { isComplete, leftovers }: Ending): boolean => {
  const { passed, failed } = count(results);
  return isComplete && leftovers.length === 0 && failed === 0 && passed > 0;
};

/** The last lines: how it went, and how the files were left. */
export const summaryText = (told: {
  readonly results: readonly Result[];
  readonly ending: Ending;
  readonly seconds: number;
  readonly colour: boolean;
}): string => {
  const { results, ending, seconds, colour } = told;
  const { isComplete, canPeek, filesUsed, leftovers } = ending;
  const style = isFine(results, ending) ? 'green' : 'red';
  const putBack = `The ${filesUsed === 1 ? 'file has its' : `${filesUsed} files have their`} summary and documentKind back.`;
  const lines = [
    createPainter(colour)(style, `${countText(results)} in ${seconds.toFixed(1)} s`),
    ...(isComplete ? [] : ['The run broke off: nothing can be said of what was not run.']),
    ...(canPeek || filesUsed === 0
      ? []
      : ['If-Match tells no etag there, so it was not shown that a refusal leaves the file alone.']),
    ...(leftovers.length > 0 ? leftovers : filesUsed > 0 ? [putBack] : []),
  ];
  return `\n${lines.join('\n')}\n`;
};
