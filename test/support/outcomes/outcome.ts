/** What a fixture of events/ must be answered, and what it leaves of the stored record. */
export type Outcome = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  /** Attributes that differ afterwards; undefined means removed. Absent: the record is as it was. */
  readonly changes?: Record<string, unknown>;
};
