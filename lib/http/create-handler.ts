import middy, { type MiddyfiedHandler } from '@middy/core';
import type { Context } from 'aws-lambda';
import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { type System, TimeoutError, withTimeout } from '#lib/system.ts';
import type { EventReader } from './event.ts';
import { toLogLine } from './log-line.ts';
import { type ApiRequest, GRACE_MS, type OpenRequest, openRequest } from './open-request.ts';
import { type ApiResponse, errorResponse } from './responses.ts';

/** An operation, and what its route knows of it. */
type Operation<Name extends string> = {
  readonly eventReader: EventReader<Name>;
  /** What the log calls its success: `updated`. */
  readonly success: string;
  readonly run: (request: ApiRequest<Name>) => Promise<ApiResponse>;
};

/**
 * Wraps an operation in what every route shares: the event becomes a request, an operation that does not settle ends
 * at its deadline, anything thrown becomes a response, and each request leaves one line in the log. Never throws.
 */
export const createHandler = <Name extends string>(
  { eventReader: { readEvent }, success, run }: Operation<Name>,
  system: System,
): MiddyfiedHandler<ApiRequest<Name>, ApiResponse> => {
  const finish = (request: OpenRequest | undefined, response: ApiResponse, error?: unknown): ApiResponse => {
    try {
      system.log(toLogLine(request, { status: response.statusCode, success, error, now: system.now() }));
    } catch {
      // A log that cannot be written must not change the response.
    }
    const requestId = request?.context.requestId ?? 'unknown';
    return { ...response, headers: { ...response.headers, 'x-request-id': requestId } };
  };

  const runOperation = async (request: ApiRequest<Name>): Promise<ApiResponse> => {
    const ms = request.context.deadline - system.uptime() + GRACE_MS;
    try {
      return await withTimeout(ms, () => run(request), system);
    } catch (error) {
      if (error instanceof TimeoutError)
        throw new ApiError('unavailable', { reason: 'operation did not settle before the deadline' });
      throw error;
    }
  };

  // Only middy's core. Its body parser would run before the key is checked, and keeps the last of two fields of one name.
  // Its header normalizer keeps the last of two spellings of a header. Its error handler logs each error as it is,
  // although an error may quote data, and responds to an unexpected one with a 500 that has no body.
  // The request has a deadline of its own; middy's early timeout would be a second one.
  return middy<ApiRequest<Name>, ApiResponse, Error, Context, { request?: OpenRequest }>({
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
