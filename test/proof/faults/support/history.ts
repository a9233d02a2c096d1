/** The two fields that an update can change. */
export const fields = ['summary', 'documentKind'] as const;
export type Field = (typeof fields)[number];

type Value = string | null;
export type Patch = { readonly [Name in Field]?: Value };

/** What a client, or the table, holds of a file: the two fields, and all the rest as one text to compare. */
export type Snapshot = { readonly summary: Value; readonly documentKind: Value; readonly rest: string };

/** One PATCH as its client saw it. Times are epoch milliseconds, with fractions. */
export type Operation = {
  readonly id: string;
  readonly patch: Patch;
  readonly began: number;
  /** Infinity when no answer ever came. */
  readonly answered: number;
  /** How long Lambda would have waited. */
  readonly limitMs: number;
  /** 0 when no answer ever came. */
  readonly status: number;
  /** The etag of a 200 or a 412. */
  readonly version?: number;
  /** The body of a 200. */
  readonly snapshot?: Snapshot;
  /** The versions that If-Match named. */
  readonly allowed?: readonly number[];
  /** Whether the request made a write more than once: an earlier attempt of it may have been applied too. */
  readonly repeated: boolean;
};

/** Everything that happened to one file. */
export type FileHistory = {
  readonly file: string;
  readonly before: Snapshot & { readonly version: number };
  readonly operations: readonly Operation[];
  /** The stored record once nothing is under way any more, and what it holds beyond the answer's shape. */
  readonly after: Snapshot & { readonly version: number; readonly requestId?: string };
  readonly hidden: { readonly before: string; readonly after: string };
};

/** A write that was acknowledged: its place in the order is known. */
export type Acknowledged = Operation & { readonly version: number; readonly snapshot: Snapshot };

export const isAcknowledged = (operation: Operation): operation is Acknowledged =>
  operation.status === 200 && operation.version !== undefined && operation.snapshot !== undefined;

/** Whether the write may have been applied at a version that nobody was told. */
export const isUnknown = ({ status }: Operation): boolean => status === 0 || status >= 500;

/** Something that must never happen, and did. */
export type Problem = {
  readonly rule:
    | 'answered late'
    | 'wrongly refused'
    | 'refused but applied'
    | 'version given twice'
    | 'out of order'
    | 'own write missing'
    | 'older value came back'
    | 'value of nobody'
    | 'value from the future'
    | 'surfaced late'
    | 'field not sent was changed'
    | 'If-Match ignored'
    | 'end not explained';
  readonly file: string;
  readonly operation: string;
};
