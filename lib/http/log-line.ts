import { ApiError, InternalError } from '#lib/domain/errors.ts';
import { propertyOf } from '#lib/domain/parse-data.ts';
import type { RequestContext } from '#lib/request-context.ts';
import type { ApiRequest } from './event.ts';

/** Ids are caller input: a line holds at most this many characters of one. */
export const MAX_VALUE_CHARACTERS = 256;

/** What JSON may leave as it is, although a terminal or an editor obeys it: control and format characters, separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** JSON itself escapes the control characters of ASCII, except DEL. */
const ASCII = /^[ -~]*$/;
/** The JSON escape of each UTF-16 unit of a character. */
const escapeUnits = (character: string): string =>
  character.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** JSON in which nothing is invisible. Most lines are ASCII, and skip the search by classes of Unicode: its start is slow. */
export const escapeInvisible = (json: string): string =>
  ASCII.test(json) ? json : json.replaceAll(INVISIBLE, escapeUnits);

/** Where it was thrown. The message above the frames may quote data, and look like frames itself: it is left out. */
const framesOf = ({ stack, message }: Error): readonly string[] => {
  // Anybody can set it to something else.
  if (typeof stack !== 'string') return [];
  const lines = stack.replace(message, '').split('\n');
  return lines.slice(lines.findLastIndex((line) => !/^ +at /.test(line)) + 1).map((line) => line.trim());
};

/** A property of an error, if it has a form that leaves no room for data. */
const textOf = (error: Error, name: string, form: RegExp): string | undefined => {
  const value = propertyOf(error, name);
  return typeof value === 'string' && form.test(value) ? value : undefined;
};

/** The name of an error of the SDK comes from the response that it was sent. */
const ERROR_NAME = /^[\w.$]{1,100}$/;
/** A code of Node. Those of TLS are words of OpenSSL in capitals: `ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC`. */
const ERROR_CODE = /^[A-Z][A-Z0-9_/().,'-]{1,99}$/;

/**
 * The kind of an error that is not ours, without its message, which may quote data: its name, the code of Node or of
 * DynamoDB, and the status of DynamoDB's response.
 */
const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = textOf(error, 'code', ERROR_CODE) ?? textOf(error, '__type', /^[\w.#]{1,100}$/);
  const httpStatus = propertyOf(propertyOf(error, '$metadata'), 'httpStatusCode');
  return {
    name: textOf(error, 'name', ERROR_NAME),
    code,
    ...(typeof httpStatus === 'number' && { httpStatus }),
  };
};

const describeOutcome = (error: unknown, success: string) => {
  if (error === undefined) return { outcome: success };
  if (error instanceof ApiError) {
    const { reason, cause } = error.details;
    return { outcome: error.code, reason, ...(cause instanceof Error && { cause: describeError(cause) }) };
  }
  const { message: reason, ids } =
    error instanceof InternalError ? error : { message: 'unexpected error', ids: {} };
  const at = error instanceof Error ? framesOf(error) : [];
  return { outcome: 'internal-error', reason, ...ids, error: { ...describeError(error), at } };
};

/** What is known of an invocation: nothing of the event if it could not be read, and nothing at all if no clock works. */
export type Known = { context?: RequestContext; request?: ApiRequest };

/**
 * The one line a request leaves in the log, as JSON. It holds ids, outcome and counts: never the key, the body, the
 * summary, or the message of an error that is not ours.
 *
 * @param success what the operation has done if there is no error: `updated`
 * @param endedAt milliseconds of `System.uptime`, like `startedAt`
 */
export const toLogLine = (
  { context, request }: Known,
  end: { statusCode: number; success: string; error?: unknown; endedAt: number },
): string => {
  const { statusCode, success, error, endedAt } = end;
  const isError = statusCode >= 500;
  const line = {
    level: isError ? 'error' : 'info',
    // The build puts the hash of the bundle here. Frames lead to the source only by its own source map.
    ...(isError && { bundle: process.env['BUNDLE_HASH'] }),
    ...describeOutcome(error, success),
    // Not `status`: Datadog and others take a field of that name for the level.
    statusCode,
    ...(isError && { call: context?.logFields.call }),
    ...(context && describeRequest(context, request, endedAt)),
  };
  const json = JSON.stringify(line, (_, value: unknown) =>
    typeof value === 'string' ? value.slice(0, MAX_VALUE_CHARACTERS) : value,
  );
  return escapeInvisible(json);
};

/** The id of the trace of this invocation, if X-Ray keeps it. Lambda sets the variable again for each invocation. */
const sampledTrace = () => /^Root=([\w-]+)(?=.*;Sampled=1)/.exec(process.env['_X_AMZN_TRACE_ID'] ?? '')?.[1];

const describeRequest = (context: RequestContext, request: ApiRequest | undefined, endedAt: number) => {
  const { call: _, retries, conflicts, versionAheadMs, ...ids } = context.logFields;
  return {
    requestId: context.requestId,
    awsRequestId: context.awsRequestId,
    gatewayRequestId: request?.gatewayRequestId,
    traceId: sampledTrace(),
    format: request?.format,
    ...ids,
    ...request?.path,
    ms: Math.round(endedAt - context.startedAt),
    retries,
    conflicts,
    ...(versionAheadMs > 0 && { versionAheadMs }),
  };
};
