/*
 * How long each thing may take, in milliseconds, and how they fit (test/unit/times.test.ts):
 *
 *   connection  |---|
 *   attempt     |-------|                                       several fit into a request
 *   request     |----- attempts, until the deadline -----|- grace -|
 *   Lambda      |------------------ timeout of serverless.yml -------------------|
 *   reserve                                                            |---------|
 *   priming     |-------|- grace -|                             one whole attempt at least, well below Lambda's 10 s
 */

/** From the first packet to an established connection. */
export const CONNECTION_TIMEOUT_MS = 300;
/** The longest time for one attempt, from connecting to the last byte. */
export const ATTEMPT_TIMEOUT_MS = 700;
/** An attempt that would have less time than this is not started. */
export const MIN_ATTEMPT_MS = 10;
/** The longest time for one request. */
export const MAX_REQUEST_MS = 5_000;
/**
 * The last part of that time. When it begins, calls to DynamoDB end, and the rest is for the response. When it is over, the
 * handler no longer waits for the operation, and responds with 503.
 */
export const GRACE_MS = 100;
/** The part of Lambda's remaining time kept back, so that our response leaves before Lambda's own. */
export const RESERVED_MS = 500;
/** The longest time for priming. */
export const PRIME_TIMEOUT_MS = 1_000;
