/** What the log says about the calls of a request. Counted while they run, so that a failure is counted too. */
export type Tally = {
  /** Attempts made again after a fault: throttled, timed out, cut off, unreadable. */
  retries: number;
  /** Attempts that may or may not have been applied. */
  unknown: number;
  /** Writes refused by the fence because another writer was faster. */
  refusals: number;
};

/** Milliseconds on a clock that never jumps. Not `performance.now()`, whose module is loaded on first use. */
export const uptimeMs = (): number => process.uptime() * 1000;

/** What every call to DynamoDB made for one request shares. */
export type Call = {
  /** Unique to this request; marks its writes. */
  readonly requestId: string;
  /** When the request's time is over, in milliseconds of `uptimeMs`. */
  readonly deadline: number;
  readonly tally: Tally;
};
