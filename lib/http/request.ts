import type { Context } from 'aws-lambda';
import { type Call, uptimeMs } from '#lib/domain/call.ts';
import type { EventRequest } from './event.ts';

const MAX_REQUEST_MS = 5_000;
/** What Lambda keeps of its time, so that our own answer leaves before it gives up. */
const RESERVED_MS = 500;

/** What the log learns about a request on its way. */
export type Facts = {
  readonly tenantId?: string;
  readonly userId?: string;
  readonly keyId?: string | undefined;
};

/** A request under way: what was sent, the calls it may make, and what is known of it so far. */
export type ApiRequest = EventRequest & {
  readonly call: Call;
  readonly startedAt: number;
  readonly awsRequestId: string | undefined;
  readonly note: (facts: Facts) => void;
  readonly facts: Facts;
};

/**
 * Opens a request on what was sent: starts its clock. The id is our own and not the gateway's: it marks writes,
 * so it must be new even when an event is replayed.
 */
export const openRequest = (
  sent: EventRequest,
  context: Partial<Context>,
  { now, newId }: { now: () => number; newId: () => string },
): ApiRequest => {
  const left = (context.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY) - RESERVED_MS;
  const facts: Facts = {};
  return {
    ...sent,
    call: {
      requestId: newId(),
      deadline: uptimeMs() + Math.min(MAX_REQUEST_MS, left),
      tally: { retries: 0, unknown: 0, refusals: 0 },
    },
    startedAt: now(),
    awsRequestId: context.awsRequestId,
    facts,
    note: (more) => Object.assign(facts, more),
  };
};
