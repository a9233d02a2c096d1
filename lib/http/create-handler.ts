import middy, { type MiddyfiedHandler } from '@middy/core';
import type { Context } from 'aws-lambda';
import { InternalError, unavailable } from '#lib/domain/errors.ts';
import { type System, TimeoutError, withTimeout } from '#lib/system.ts';
import { readEvent } from './event.ts';
import { toLogLine } from './log-line.ts';
import { type ApiRequest, type OpenRequest, openRequest } from './open-request.ts';
import { type ApiResponse, errorResponse } from './responses.ts';

/** An operation. */
type Operation = {
  /** What the log calls its success: `updated`. */
  readonly success: string;
  readonly run: (request: ApiRequest) => Promise<ApiResponse>;
};

/**
 * Wraps an operation in what every route shares: the event becomes a request, an operation that does not settle ends
 * at its deadline, anything thrown becomes a response, and each request leaves one line in the log. Never throws.
 */
export const createHandler = (
  { success, run }: Operation,
  system: System,
): MiddyfiedHandler<ApiRequest, ApiResponse> => {
  const finish = (request: OpenRequest | undefined, response: ApiResponse, error?: unknown): ApiResponse => {
    try {
      system.log(
        toLogLine(request, { status: response.statusCode, success, error, endedAt: system.uptime() }),
      );
    } catch {
      // A log that cannot be written must not change the response.
    }
    const requestId = request?.context.requestId ?? 'unknown';
    return { ...response, headers: { ...response.headers, 'x-request-id': requestId } };
  };

  const runOperation = async (request: ApiRequest): Promise<ApiResponse> => {
    try {
      return await withTimeout(request.end - system.uptime(), () => run(request), system);
    } catch (error) {
      if (error instanceof TimeoutError) throw unavailable('operation did not settle before the deadline');
      throw error;
    }
  };

  // Only middy's core. Its body parser would run before the key is checked, and keeps the last of two fields of one name.
  // Its header normalizer keeps the last of two spellings of a header. Its error handler logs each error as it is,
  // although an error may quote data, and responds to an unexpected one with a 500 that has no body.
  // The request has a deadline of its own; middy's early timeout would be a second one.
  return middy<ApiRequest, ApiResponse, Error, Context, { request?: OpenRequest }>({
    timeoutEarlyInMillis: 0,
  })
    .before((invocation) => {
      const opened = openRequest(invocation.context, system);
      // Kept first: an event that cannot be read has a line in the log too.
      invocation.internal.request = opened;
      const request = { ...opened, ...readEvent(invocation.event) };
      invocation.internal.request = request;
      invocation.event = request;
    })
    .onError((invocation) => {
      const error = invocation.error ?? new InternalError('nothing was thrown');
      invocation.response = finish(invocation.internal.request, errorResponse(error), error);
    })
    .handler(async (request) => finish(request, await runOperation(request)));
};
