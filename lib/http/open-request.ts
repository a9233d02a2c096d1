import type { Context } from 'aws-lambda';
import type { RequestContext } from '#lib/request-context.ts';
import type { System } from '#lib/system.ts';

/** The longest time for one request, in milliseconds. */
const MAX_REQUEST_MS = 5_000;
/**
 * The last part of that time, in milliseconds. When it begins, calls to DynamoDB end, so the operation has it to make a
 * response. When it is over, the handler no longer waits for the operation, and responds with 503.
 */
const GRACE_MS = 100;
/** The part of Lambda's remaining time kept back, in milliseconds, so that our response leaves before Lambda's own. */
export const RESERVED_MS = 500;

/**
 * Gives a request its id, its deadline and its log fields, before anything of its event is read. The id is our own and not the gateway's: it marks writes,
 * so it must be new even when an event is replayed.
 *
 * @throws whatever the clocks or the id source throw
 */
export const openRequest = (
  lambda: Partial<Context>,
  { uptime, newId }: Pick<System, 'uptime' | 'newId'>,
): RequestContext => {
  const startedAt = uptime();
  const left = (lambda.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - RESERVED_MS;
  const respondBy = startedAt + Math.min(MAX_REQUEST_MS, left);
  return {
    requestId: newId(),
    awsRequestId: lambda.awsRequestId,
    startedAt,
    deadline: respondBy - GRACE_MS,
    respondBy,
    logFields: { retries: 0, conflicts: 0, versionAheadMs: 0 },
  };
};
