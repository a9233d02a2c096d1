import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import * as z from 'zod';
import { printable } from '#tools/cli.ts';

const LineSchema = z.object({ requestId: z.string(), outcome: z.string(), reason: z.string().optional() });

const maxPathCharacters = 100;

const colorOf = (status: number) => {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
};

const parseLine = (line: string) => {
  try {
    return LineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};

/**
 * Prints one line per request, with the outcome from the function's own log:
 * `PATCH /v1/spaces/handbook/files/1  200  12 ms  updated`.
 *
 * @param output colored if it is a terminal and NO_COLOR is not set
 * @param showFunctionLog whether to print the lines of the function too
 */
export const createRequestLog = (output: NodeJS.WritableStream, showFunctionLog: boolean) => {
  const outcomes = new Map<string, string>();
  const functionOutput = new Writable({
    write: (chunk, _, done) => {
      const line = parseLine(String(chunk));
      if (line) outcomes.set(line.requestId, line.reason ? `${line.outcome}: ${line.reason}` : line.outcome);
      if (showFunctionLog) output.write(chunk);
      done();
    },
  });
  const onResponse = ({ method, url = '' }: IncomingMessage, response: ServerResponse, ms: number): void => {
    const { statusCode } = response;
    const requestId = String(response.getHeader('x-request-id'));
    const outcome = outcomes.get(requestId) ?? `${STATUS_CODES[statusCode]} (from the gateway)`;
    outcomes.delete(requestId);
    const path = url.length > maxPathCharacters ? `${url.slice(0, maxPathCharacters)}…` : url;
    const status = styleText(colorOf(statusCode), String(statusCode), { stream: output });
    const time = styleText('dim', `${ms.toFixed(0)} ms`, { stream: output });
    output.write(`${method} ${printable(path)}  ${status}  ${time}  ${printable(outcome)}\n`);
  };
  return { functionOutput, onResponse };
};
