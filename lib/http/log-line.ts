import { Failure } from '#lib/domain/failure.ts';
import { Fault } from '#lib/domain/fault.ts';
import type { ApiRequest } from './request.ts';

/** Ids come from strangers: a line holds no more of one than this. */
const MAX_CHARACTERS = 256;

/** Where it was thrown. The message above the frames may quote data, and look like frames itself: it stays out. */
const framesOf = ({ stack = '', message }: Error): readonly string[] => {
  const lines = stack.replace(message, '').split('\n');
  return lines
    .slice(lines.findLastIndex((line) => !/^ +at /.test(line)) + 1)
    .slice(0, 4)
    .map((line) => line.trim());
};

/** What may be told of an error that is not ours: its kind, never its words. */
const describe = (error: unknown) =>
  error instanceof Error ? { name: error.name, at: framesOf(error) } : { name: typeof error, at: [] };

const describeOutcome = (error: unknown) => {
  if (error === undefined) return { outcome: 'updated' };
  if (error instanceof Failure) {
    const { reason, cause } = error.details;
    return { outcome: error.code, reason, ...(cause instanceof Error && { cause: cause.name }) };
  }
  const reason = error instanceof Fault ? error.message : 'unexpected error';
  return { outcome: 'internal-error', reason, error: describe(error) };
};

/**
 * The one line a request leaves in the log, as JSON. It holds ids, outcome and counts: never the key, the body, the
 * summary, or the words of an error that is not ours.
 *
 * @param now epoch milliseconds at the end of the request
 */
export const toLogLine = (
  { call, facts, ...request }: ApiRequest,
  { status, error, now }: { status: number; error?: unknown; now: number },
): string => {
  const line = {
    level: status < 500 ? 'info' : 'error',
    ...describeOutcome(error),
    status,
    requestId: call.requestId,
    awsRequestId: request.awsRequestId,
    gatewayRequestId: request.gatewayRequestId,
    format: request.format,
    ...facts,
    spaceId: request.spaceId,
    fileId: request.fileId,
    ms: now - request.startedAt,
    refusals: call.tally.refusals,
    retries: call.tally.retries,
  };
  return JSON.stringify(line, (_, value: unknown) =>
    typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : value,
  );
};
