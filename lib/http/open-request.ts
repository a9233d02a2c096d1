import type { Context } from 'aws-lambda';
import type { RequestContext } from '#lib/request-context.ts';
import type { System } from '#lib/system.ts';
import { GRACE_MS, MAX_REQUEST_MS, RESERVED_MS } from '#lib/times.ts';

/**
 * Gives a request its id, its deadline and its log fields, before anything of its event is read. The id is our own and not
 * the gateway's: it marks writes, so it must be new even when an event is replayed.
 *
 * @throws whatever the monotonic clock or the id source throws
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
