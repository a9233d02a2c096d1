import middy, { type MiddyfiedHandler } from '@middy/core';
import { Fault } from '#lib/domain/fault.ts';
import { readEvent } from './event.ts';
import { toLogLine } from './log-line.ts';
import { type ApiRequest, openRequest } from './request.ts';
import { type ApiResponse, errorResponse } from './response.ts';

/** What every route needs from outside. */
export type HandlerDeps = {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A new unique id. */
  readonly newId: () => string;
  /** Takes one line of the log. */
  readonly log: (line: string) => void;
};

/**
 * Wraps an operation in what every route shares: the event becomes a request, anything thrown becomes an answer,
 * each request leaves one line in the log. The result never throws.
 */
export const createHandler = (
  operation: (request: ApiRequest) => Promise<ApiResponse>,
  { now, newId, log }: HandlerDeps,
): MiddyfiedHandler<ApiRequest, ApiResponse> => {
  const finish = (request: ApiRequest, response: ApiResponse, error?: unknown): ApiResponse => {
    try {
      log(toLogLine(request, { status: response.statusCode, error, now: now() }));
    } catch {
      // A log that cannot be written must not change the answer.
    }
    return { ...response, headers: { ...response.headers, 'x-request-id': request.call.requestId } };
  };

  // The request has a deadline of its own; middy's early timeout would be a second one.
  return middy<ApiRequest, ApiResponse>({ timeoutEarlyInMillis: 0 })
    .before((invocation) => {
      invocation.event = openRequest(readEvent(invocation.event), invocation.context, { now, newId });
    })
    .onError((invocation) => {
      const error = invocation.error ?? new Fault('nothing was thrown');
      invocation.response = finish(invocation.event, errorResponse(error), error);
    })
    .handler(async (request) => finish(request, await operation(request)));
};
