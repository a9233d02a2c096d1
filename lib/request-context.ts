/** What the log line of a request tells. Filled while the request runs, so that it is known after an error too. */
type LogFields = {
  userId?: string | undefined;
  tenantId?: string | undefined;
  keyId?: string | undefined;
  /** The latest call to DynamoDB: `access read`, `update`. */
  call?: string;
  /** Attempts repeated after a transient error: throttled, timed out, cut off, unreadable, incomplete. */
  retries: number;
  /** Writes whose condition failed because another writer was faster or this clock is behind. */
  conflicts: number;
  /** How far the stored version was ahead of this clock, in milliseconds; 0 if it was not far ahead. */
  versionAheadMs: number;
};

/** What everything that is done for one request shares. Its times are in milliseconds of `System.uptime` (lib/system.ts). */
export type RequestContext = {
  /** Unique to this request. Marks its writes, unless it has an Idempotency-Key. */
  readonly requestId: string;
  readonly awsRequestId: string | undefined;
  readonly startedAt: number;
  /** When the last attempt must have ended. */
  readonly deadline: number;
  /** When the handler responds at the latest: after the deadline. */
  readonly respondBy: number;
  readonly logFields: LogFields;
};
