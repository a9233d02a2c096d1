import { createPainter } from '#test/support/terminal.ts';
import type { Group } from '../case.ts';
import type { Result } from '../runner/result.ts';
import { count, countText } from './summary.ts';

type Style = { readonly colour: boolean; readonly live: boolean };

/** Tells results as they come: a line per group, and under it what failed or was skipped. */
export const createReporter = (
  { baseUrl, groups }: { baseUrl: URL; groups: readonly Group[] },
  { colour, live }: Style,
) => {
  const total = groups.reduce((sum, { cases }) => sum + cases.length, 0);
  let open: Result[] = [];
  let done = 0;
  const write = (text: string) => void process.stdout.write(live ? `\r\u001b[2K${text}` : text);
  const close = () => {
    if (open.length > 0) write(groupText(open, colour));
    open = [];
  };
  const onResult = (result: Result) => {
    if (done === 0) write(`${baseUrl} is held to docs/contract.md\n\n`);
    if (open[0]?.group !== result.group) close();
    open.push(result);
    done += 1;
    if (live && done <= total) write(`${done} of ${total}: ${result.group}`);
  };
  return { onResult, close };
};

/** A group's line and what has to be told of its cases. */
export const groupText = (results: readonly Result[], colour: boolean): string => {
  const paint = createPainter(colour);
  const { failed, passed } = count(results);
  const mark =
    failed > 0
      ? paint('red', 'FAIL')
      : passed < results.length
        ? paint('yellow', 'skip')
        : paint('green', 'ok  ');
  const told = results.flatMap(({ name, outcome }) => {
    if (outcome.kind === 'skipped') return [`       skipped: ${name}: ${outcome.reason}`];
    if (outcome.kind !== 'failed') return [];
    const { sent, expected, got } = outcome.failure;
    return [
      `       ${paint('red', name)}`,
      `         sent      ${sent}`,
      `         expected  ${expected}`,
      `         got       ${got}`,
    ];
  });
  const [{ group } = { group: '' }] = results;
  return `${[`${mark}  ${group}: ${countText(results)}`, ...told].join('\n')}\n`;
};
