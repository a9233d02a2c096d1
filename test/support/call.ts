import { type Call, uptimeMs } from '#lib/context.ts';

/** The calls of one request, with time left: in milliseconds. */
export const aCall = (requestId = 'request-1', ms = 10_000): Call => ({
  requestId,
  deadline: uptimeMs() + ms,
  tally: { retries: 0, unknown: 0, refusals: 0 },
});
