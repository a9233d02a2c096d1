import * as z from 'zod/mini';
import type { MessageFault } from '#test/support/message-faults.ts';

/* What a scenario may hold, and what a run of it has shown. */

/** What happens outside the service, once, at any moment. */
export type OutsideEvent =
  | 'revoke key'
  | 'make space private'
  | 'make space public'
  | 'make user the owner'
  | 'delete file'
  | 'create file'
  | 'create file without version'
  | 'create file by a late copy of its first creation'
  | 'create file with writes of a copy'
  | 'one other write less'
  | 'other writes until it is forgotten';

/** A fault of a process and not of a message. */
export type ProcessFault = 'freeze' | 'clock jumps ahead' | 'clock jumps back';

export type SimulatedRequest = {
  readonly name: string;
  /** The Lambda instance that runs it; each runs one request at a time, in this order. */
  readonly process: number;
  readonly patch: { readonly summary?: string | null; readonly documentKind?: string | null };
  /**
   * The first etag of the file, the newest that any caller has got when the request starts, or a list of those that the
   * file may get in the next 60 ms.
   */
  readonly ifMatch?: 'initial' | 'newest' | 'future';
  readonly idempotencyKey?: string;
  /** The request that it repeats: it starts at any time after that one, whatever response the caller got. */
  readonly repeats?: string;
};

/**
 * What the rule does not cover (docs/contract.md, "Known limits"): an idempotency key takes effect again after its file
 * has forgotten it; a file is created again with a version below that of an update on its way, or with the remembered
 * writes of an older copy; an update takes effect after its 5xx, over a later update with a lower version; the network
 * copies a message, and the copy is applied.
 */
export type KnownLimit =
  | 'key forgotten'
  | 'file created again'
  | 'file created with old writes'
  | 'later write replaced'
  | 'message delivered twice';

export type Scenario = {
  readonly name: string;
  readonly requests: readonly SimulatedRequest[];
  /** How far the clock of each process is ahead, in milliseconds; 0 if not listed. */
  readonly clocksAheadMs?: readonly number[];
  readonly events?: readonly OutsideEvent[];
  /** How many faults happen at most, and which. */
  readonly faultLimit: number;
  readonly faults: readonly MessageFault[];
  readonly processFaults?: readonly ProcessFault[];
  /** Whether the file remembers writes before the first request. */
  readonly history?: boolean;
  /** Whether the access read takes part: as two reads, of the key and of the space. Otherwise it succeeds at once. */
  readonly reads?: boolean;
  /** The longest summary and documentKind together, in characters, before an item is too large. */
  readonly maxCharacters?: number;
  /** Milliseconds that pass with each step; 1 if not given. */
  readonly stepMs?: number;
  /** The random numbers of the waits between attempts, in turn and again and again; always 0 if not given. */
  readonly randomNumbers?: readonly number[];
  /** Whether every request must succeed, whatever the faults. */
  readonly allSucceed?: boolean;
  /** How many of all its schedules show each known limit; none if not listed. */
  readonly limits?: { readonly [limit in KnownLimit]?: number };
};

/** What the callers saw of one request, and when: step numbers. */
export type Observed = SimulatedRequest & {
  /** The versions that its If-Match lists; undefined without If-Match. */
  readonly ifMatchVersions: readonly number[] | undefined;
  readonly start: number;
  end: number;
  status: number;
  message?: string;
  etag?: number;
  file?: { readonly summary: string | null; readonly documentKind: string | null };
  replayed: boolean;
  /** How long it took by the clock of its process, in milliseconds. */
  ms: number;
  /** Whether its process was frozen meanwhile. */
  wasFrozen: boolean;
  /** The faults of its own messages. */
  readonly readFaults: MessageFault[];
  readonly writeFaults: MessageFault[];
  /** The versions that it has sent, and when each was sent first. */
  readonly sent: Map<number, number>;
};
/** The file from a step on, and how many writes made this change; 0 if the file was created or deleted. */
export type Snapshot = {
  readonly step: number;
  readonly file: FileState | undefined;
  readonly writes: number;
  /** The request that wrote it; undefined if others did. */
  readonly request?: Observed;
  /** Whether the network has made the message, as a copy of one that its sender sent. */
  readonly isCopy?: boolean;
  /** Whether the file was created with the remembered writes of an older copy. */
  readonly hasOldWrites?: boolean;
};
export type AccessChange = {
  readonly step: number;
  readonly keyAllows: boolean;
  readonly spaceAllows: boolean;
};

export type Run = {
  readonly observed: readonly Observed[];
  /** Every state of the file, in order. */
  readonly snapshots: readonly Snapshot[];
  readonly access: readonly AccessChange[];
  readonly faultCount: number;
  /** The schedule in words, one line per step. */
  readonly steps: readonly string[];
  /** Where there was more than one option: which of them happened, and out of how many. */
  readonly choices: readonly { readonly index: number; readonly count: number }[];
};

export const FileStateSchema = z.object({
  summary: z._default(z.nullable(z.string()), null),
  documentKind: z._default(z.nullable(z.string()), null),
  version: z.number(),
});
export type FileState = Readonly<z.infer<typeof FileStateSchema>>;

/** A thing that can happen next. */
export type Option = { readonly label: string; readonly isFault?: true; readonly run: () => void };
/** Chooses the option that happens: its index. Faults are the last options. */
export type Choose = (options: readonly Option[]) => number;
