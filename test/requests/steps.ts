import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Case, Sent, Step } from './cases/case.ts';
import { fixture } from './cases/fixture.ts';
import { completeRequest } from './cases/request.ts';

/** A text, or of a long one what is around the first character that differs from another text. */
const cut = (text: string, other?: unknown, limit = 200): string => {
  const characters = [...text];
  if (characters.length <= limit) return text;
  const others = typeof other === 'string' ? [...other] : [];
  const differs = characters.findIndex((character, place) => character !== others[place]);
  const at = differs < 0 ? characters.length : differs;
  const part = (from: number, to: number) => characters.slice(from, to).join('');
  const shown = at < limit / 2 ? part(0, limit) : `${part(0, 60)} … ${part(at - 20, at + 60)}`;
  return `${shown}… (${characters.length} characters)`;
};

/** A value whose long texts are cut. `other` is what it is compared with. */
const cutTexts = (value: unknown, other: unknown): unknown => {
  if (typeof value === 'string') return cut(value, other);
  if (Array.isArray(value)) return value.map((item, place) => cutTexts(item, Object(other)[place]));
  // A matcher or another instance of a class stays what it is.
  if (value == null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, item]) => [name, cutTexts(item, Object(other)[name])]));
};

/** The API keys of a deployment are secret, also in another letter case. */
const hideKeys = (text: string) =>
  Object.entries(fixture.apiKeys).reduce(
    (shown, [name, key]) => shown.replaceAll(new RegExp(key, 'gi'), `{apiKeys.${name}}`),
    text,
  );

/** What is sent. The headers are those that differ from the usual ones (cases/request.ts). */
const describeRequest = (oneCase: Case, sent: Sent): string => {
  const { space, file, method: _, path: __, query, headers, ...parts } = sent;
  const { method, path, body } = completeRequest(oneCase, sent);
  const isEvent = 'event' in sent;
  const lines = Object.entries(isEvent ? parts : { ...(headers && { headers }), body, ...parts }).map(
    ([name, value]) => `${name}: ${inspect(value, { breakLength: Infinity, maxStringLength: null })}`,
  );
  return [...(isEvent ? [] : [`${method} ${path}`]), ...lines]
    .map((line) => `  ${cut(hideKeys(line))}`)
    .join('\n');
};

/** Where the row stands: the line that has its title in quotes, or else the calls that have made it. */
const framesOf = ({ name, row }: Case): readonly string[] => {
  const frame = /\/cases\/((?!case\.ts)[\w-]+\.ts):\d+/;
  const frames = (row.stack ?? '').split('\n').filter((line) => frame.test(line));
  const [, file] = frame.exec(frames[0] ?? '') ?? [];
  if (file === undefined) return [];
  const path = join(import.meta.dirname, 'cases', file);
  const lines = readFileSync(path, 'utf8').split('\n');
  const title = inspect(name);
  const place = lines.findIndex((line) => line.includes(title));
  return place < 0 ? frames : [`    at ${path}:${place + 1}:${(lines[place] ?? '').indexOf(title) + 1}`];
};

/** Adds to the error of a case what was sent, and where the row is. A reporter shows the source at the first frame. */
const explain = (error: Error, oneCase: Case, sent: Sent, title: string): void => {
  // Up to here, because the way to here is the same for all cases.
  const [stack = ''] = (error.stack ?? '').split(/\n.* at runSteps /);
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  error.message = `${cut(error.message, '', 500)}\n\n${title}:\n${describeRequest(oneCase, sent)}`;
  error.stack = [`${error.name}: ${error.message}`, ...framesOf(oneCase), ...frames].join('\n');
  if ('actual' in error && 'expected' in error) {
    const { actual, expected } = error;
    Object.assign(error, { actual: cutTexts(actual, expected), expected: cutTexts(expected, actual) });
  }
};

/**
 * Runs the requests of a case, one after the other. The error of the first one that fails names the row of the case and
 * what was sent, and has no long texts.
 */
export const runSteps = async (oneCase: Case, run: (step: Step) => Promise<void>): Promise<void> => {
  const { steps } = oneCase;
  for (const [index, step] of steps.entries())
    try {
      await run(step);
    } catch (error) {
      const title = `request ${index + 1} of ${steps.length}`;
      if (error instanceof Error) explain(error, oneCase, step[0], title);
      throw error;
    }
};
