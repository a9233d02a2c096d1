import middy, { type MiddlewareObj, type Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import { InternalError, unavailable } from '#lib/domain/errors.ts';
import { type System, TimeoutError, withTimeout } from '#lib/system.ts';
import { type ApiRequest, readEvent } from './event.ts';
import { type Known, toLogLine } from './log-line.ts';
import { openRequest } from './open-request.ts';
import { type ApiResponse, errorResponse } from './responses.ts';

/** What Lambda calls. The event may be anything, for example one of another trigger. */
type Handler = (event: unknown, context: Context) => Promise<ApiResponse>;
type Operation = (request: ApiRequest) => Promise<ApiResponse>;

/** An invocation on its way through the middlewares. Its event becomes the request; `internal` is what they share. */
type Invocation = Request<ApiRequest, ApiResponse, Error, Context, Known>;
type Middleware = MiddlewareObj<ApiRequest, ApiResponse, Error, Context, Known>;

/** The event becomes a request. */
const readRequest = (system: System): Middleware => ({
  before: (invocation) => {
    const context = openRequest(invocation.context, system);
    // Kept first: an event that cannot be read has a line in the log too.
    invocation.internal.context = context;
    const request = readEvent(invocation.event, context);
    invocation.internal.request = request;
    invocation.event = request;
  },
});

/** A request leaves one line in the log, and its response has the id that is in this line. */
const logRequest = (success: string, system: System): Middleware => {
  const log = (invocation: Invocation): void => {
    const { response, error, internal } = invocation;
    if (!response) throw new InternalError('nothing was returned');
    try {
      const { statusCode } = response;
      system.log(toLogLine(internal, { statusCode, success, error, endedAt: system.uptime() }));
    } catch {
      // A log that cannot be written must not change the response.
    }
    const requestId = internal.context?.requestId ?? 'unknown';
    invocation.response = { ...response, headers: { ...response.headers, 'x-request-id': requestId } };
  };
  return { after: log, onError: log };
};

/** Anything thrown becomes a response. */
const respondToError: Middleware = {
  onError: (invocation) => {
    invocation.error ??= new InternalError('nothing was thrown');
    invocation.response = errorResponse(invocation.error);
  },
};

/** An operation that does not settle ends at its deadline. */
const endInTime =
  (run: Operation, system: System): Operation =>
  async (request) => {
    try {
      return await withTimeout(request.context.respondBy - system.uptime(), () => run(request), system);
    } catch (error) {
      if (error instanceof TimeoutError) throw unavailable('operation did not settle before the deadline');
      throw error;
    }
  };

/**
 * Wraps an operation in what every route shares. Never throws.
 *
 * Middy's own middlewares do not fit: its body parser would run before the key is checked and keeps the last of two fields
 * of one name, and its error handler logs each error as it is, although an error may quote data.
 *
 * @param success what the log calls a success of the operation: `updated`
 */
export const createHandler = (success: string, run: Operation, system: System): Handler =>
  // The request has a deadline of its own; middy's early timeout would be a second one.
  middy<ApiRequest, ApiResponse, Error, Context, Known>({ timeoutEarlyInMillis: 0 })
    .use(readRequest(system))
    .use(logRequest(success, system))
    // The last one is the first to see an error.
    .use(respondToError)
    .handler<unknown, ApiResponse>(endInTime(run, system));
