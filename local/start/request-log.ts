import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Writable } from 'node:stream';
import { usesColour } from '#local/terminal.ts';
import type { FunctionLog } from './function-log.ts';
import { toRequestLine } from './request-line.ts';

/** Writes a line for people for each request, with what the function's log says of it. */
export const createRequestLog =
  (output: Writable & { readonly isTTY?: boolean }, { takeOutcome }: FunctionLog) =>
  ({ method = '', url = '' }: IncomingMessage, response: ServerResponse, ms: number): void => {
    const { statusCode: status } = response;
    const requestId = String(response.getHeader('x-request-id') ?? '');
    const outcome = takeOutcome(requestId) ?? `${STATUS_CODES[status] ?? 'answered'}, by the gateway`;
    const colour = usesColour(output, process.env);
    output.write(`${toRequestLine({ method, path: url, status, ms, outcome }, { colour })}\n`);
  };
