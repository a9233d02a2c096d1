import type { Expected, FileName, Sent } from '../case.ts';
import type { Answer, NoAnswer } from '../http/answer.ts';
import { complete } from '../http/request.ts';

const maxCharacters = 240;

/** What would not be seen, or would move the cursor, as its code point: texts that differ must look different. */
const visible = (text: string): string =>
  text.replace(/[\p{C}\p{M}\p{Zl}\p{Zp}\u00a0]/gu, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`);

/** Text for one line of a report; a long one is cut, and says how long it was. */
const short = (text: string): string => {
  const cut = [...text.slice(0, 2 * maxCharacters)].slice(0, maxCharacters).join('');
  return cut.length === text.length ? visible(text) : `${visible(cut)}… (${Buffer.byteLength(text)} bytes)`;
};

const headerText = (headers: Readonly<Record<string, string | readonly string[] | null | undefined>>) =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === null || value === undefined
      ? [`no ${name}`]
      : [value].flat().map((one) => `${name}: ${short(one)}`),
  );

/** What was sent, as far as it differs from the usual request. Placeholders stand for ids and keys. */
export const describeSent = (sent: Sent, file: FileName): string => {
  const { method, target, body } = complete(sent, file);
  const bytes = body === null ? 'no body' : Buffer.from(body).toString();
  return [`${method} ${short(target)}`, ...headerText(sent.headers ?? {}), short(bytes)].join('; ');
};

/** What should have come. */
export const describeExpected = ({ status, headers, sameBytes }: Expected, body: unknown): string =>
  [
    String(status),
    ...headerText(headers ?? {}),
    ...(body === undefined ? [] : [short(JSON.stringify(body))]),
    ...(sameBytes ? ['the same bytes as before'] : []),
  ].join('; ');

/** What came, with the headers that were asked for. `mask` is given whatever came, before it is cut. */
export const describeAnswer = (
  answer: Answer | NoAnswer,
  { names = [], mask }: { names?: readonly string[]; mask: (text: string) => string },
): string =>
  'reason' in answer
    ? `no answer: ${answer.reason}`
    : [
        String(answer.status),
        ...headerText(
          Object.fromEntries(names.map((name) => [name, answer.headers[name] && mask(answer.headers[name])])),
        ),
        short(mask(answer.text)),
      ].join('; ');
