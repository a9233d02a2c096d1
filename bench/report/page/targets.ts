import { markdownTable, section } from '../markdown.ts';
import { ANCHOR, nameOf, type Results } from '../results.ts';
import { type Line, targetLines } from '../target-lines.ts';

const verdictOf = ({ verdict, note }: Line): string => {
  const text = verdict === 'missed' ? '**missed**' : verdict;
  return note === '' ? text : `${text}; ${note}`;
};

/** What was to be reached, and whether it is. */
export const targetsSection = (results: Results): string =>
  section('Targets', [
    `Ratios to the ${nameOf(results, ANCHOR)}, with quartiles; KB are of 1,024 bytes. They were set before the ` +
      'function was measured, from prototypes.',
    markdownTable(
      ['target', 'asked', 'measured', ''],
      targetLines(results).map((line) => [line.what, line.asked, line.measured, verdictOf(line)]),
    ),
  ]);
