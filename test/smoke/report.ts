import { createPainter } from '#test/support/terminal.ts';
import type { Outcome } from '../conformance/runner/result.ts';

/** The suite's names of the one file, as the options have them: `{space}`, `{file}`. */
export const inOptionNames = (text: string): string =>
  text.replace(/\b(space|file)s\.(?:private|public|detailed)(?:\.id)?/g, '$1');

/** One line for a check; three more when it failed. */
export const lineOf = (
  { name, outcome, note }: { name: string; outcome: Outcome; note?: string },
  colour: boolean,
): string => {
  const paint = createPainter(colour);
  if (outcome.kind === 'passed') return `${paint('green', 'ok  ')}  ${name}${note ? ` (${note})` : ''}\n`;
  if (outcome.kind !== 'failed')
    return `${paint('yellow', 'skip')}  ${name}: not tried, ${inOptionNames(outcome.reason)}\n`;
  const { sent, expected, got } = outcome.failure;
  const lines = [`sent      ${sent}`, `expected  ${expected}`, `got       ${got}`];
  return `${paint('red', 'FAIL')}  ${name}\n${lines.map((line) => `        ${inOptionNames(line)}\n`).join('')}`;
};
