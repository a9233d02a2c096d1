/** What the log says about the calls of a request. Counted while they run, so that a failure is counted too. */
export type Tally = {
  /** Attempts made again after a fault: throttled, timed out, cut off, unreadable. */
  retries: number;
  /** Attempts that may or may not have been applied. */
  unknown: number;
  /** Writes refused by the fence because another writer was faster. */
  refusals: number;
};

/** What every call to DynamoDB made for one request shares. */
export type Call = {
  /** Unique to this request; marks its writes. */
  readonly requestId: string;
  /** Aborts when the request's time is over. */
  readonly deadline: AbortSignal;
  readonly tally: Tally;
};
