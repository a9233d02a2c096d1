import type { Context } from 'aws-lambda';
import type { RequestContext } from '#lib/request-context.ts';
import type { System } from '#lib/system.ts';
import type { EventRequest } from './event.ts';

/** The longest time for one request, in milliseconds. */
const MAX_REQUEST_MS = 5_000;
/**
 * The last part of that time, in milliseconds. When it begins, calls to DynamoDB end, so the operation has it to make a
 * response. When it is over, the handler no longer waits for the operation, and responds with 503.
 */
const GRACE_MS = 100;
/** The part of Lambda's remaining time kept back, in milliseconds, so that our response leaves before Lambda's own. */
export const RESERVED_MS = 500;

type LambdaContext = Partial<Pick<Context, 'getRemainingTimeInMillis' | 'awsRequestId'>>;

/** An invocation that has begun, before anything of its event is read. */
export type OpenRequest = {
  readonly context: RequestContext;
  /** When the handler responds at the latest, in milliseconds of `System.uptime`: after `context.deadline`. */
  readonly end: number;
  /** In milliseconds of `System.uptime`. */
  readonly startedAt: number;
  readonly awsRequestId: string | undefined;
};

/** A request in progress: what was sent, and what everything that is done for it shares. */
export type ApiRequest = OpenRequest & EventRequest;

/**
 * Gives an invocation its id, its deadline and its log fields. The id is our own and not the gateway's: it marks writes,
 * so it must be new even when an event is replayed.
 *
 * @throws whatever the clocks or the id source throw
 */
export const openRequest = (
  lambda: LambdaContext,
  { uptime, newId }: Pick<System, 'uptime' | 'newId'>,
): OpenRequest => {
  const startedAt = uptime();
  const left = (lambda.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - RESERVED_MS;
  const end = startedAt + Math.min(MAX_REQUEST_MS, left);
  return {
    context: {
      requestId: newId(),
      deadline: end - GRACE_MS,
      logFields: { retries: 0, conflicts: 0, versionAheadMs: 0 },
    },
    end,
    startedAt,
    awsRequestId: lambda.awsRequestId,
  };
};
