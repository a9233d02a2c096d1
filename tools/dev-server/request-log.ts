import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { Writable } from 'node:stream';
import * as z from 'zod';

const LineSchema = z.object({ requestId: z.string(), outcome: z.string(), reason: z.string().optional() });

/**
 * Prints one line per request, with the outcome from the function's own log:
 * `PATCH /v1/spaces/handbook/files/1  200  12 ms  updated`.
 *
 * @param showFunctionLog whether to print the lines of the function too
 */
export const createRequestLog = (output: NodeJS.WritableStream, showFunctionLog: boolean) => {
  const outcomes = new Map<string, string>();
  const functionOutput = new Writable({
    write: (chunk, _, done) => {
      const { requestId, outcome, reason } = LineSchema.parse(JSON.parse(String(chunk)));
      outcomes.set(requestId, reason === undefined ? outcome : `${outcome}: ${reason}`);
      if (showFunctionLog) output.write(chunk);
      done();
    },
  });
  const onResponse = ({ method, url }: IncomingMessage, response: ServerResponse, ms: number): void => {
    const requestId = String(response.getHeader('x-request-id'));
    const outcome = outcomes.get(requestId) ?? `${STATUS_CODES[response.statusCode]} (from the gateway)`;
    outcomes.delete(requestId);
    output.write(`${method} ${url}  ${response.statusCode}  ${ms.toFixed(0)} ms  ${outcome}\n`);
  };
  return { functionOutput, onResponse };
};
