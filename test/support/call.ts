import type { Call } from '#lib/domain/call.ts';

/** The calls of one request, with time left. */
export const aCall = (requestId = 'request-1', deadline = AbortSignal.timeout(10_000)): Call => ({
  requestId,
  deadline,
  tally: { retries: 0, unknown: 0, refusals: 0 },
});
