/** What `npm run bench` measures and writes; every part of bench/ speaks through these types. */

/** Ours; the plain handler that every ratio is to; another way to write it; the bound without SDK or validation. */
export type Kind = 'ours' | 'anchor' | 'peer' | 'bound';

/** As its own documentation suggests, three calls in a row; or with our own operation in it, bundled as ours is. */
export type Form = 'as written' | 'equalised';

/** One built handler, ready to be loaded. */
export type Variant = {
  /** Unique and fit for a file name: `hono`, `hono-equalised`, `space-files`, `space-files-primed-cached`. */
  readonly id: string;
  /** For tables: `Hono`, `Hono, equalised`. */
  readonly name: string;
  readonly kind: Kind;
  readonly form: Form;
  /** Absolute path of a .cjs or .mjs file that exports `handler(event, context)`. */
  readonly file: string;
  /** Of the code that is loaded; for what is not bundled, of every file that it loads. */
  readonly bytes: number;
  readonly gzipBytes: number;
};

/** The machine and the run a figure comes from. */
export type Origin = {
  /** The command that made the file. */
  readonly madeBy: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly mode: 'whole' | 'quick';
};

/**
 * One measurement in one file of bench/results/: for each variant one value per round. Values of the same index were
 * taken one after the other, so that a ratio of two variants is taken per round.
 */
export type Measurement = Origin & {
  /** `cold`, `cold-tls`, `cold-512`, `warm-stubbed`, `warm-engine`, `wall`, `memory`, `size`, `gzip`, `calls`, ... */
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** How it was taken, in one or two sentences. */
  readonly how: string;
  readonly values: Readonly<Record<string, readonly number[]>>;
};

/** How our function grows with one quantity: bench/results/growth-*.json. */
export type Growth = Origin & {
  readonly id: string;
  readonly title: string;
  /** What is varied: `files in the space`. */
  readonly quantity: string;
  readonly points: readonly GrowthPoint[];
};

export type GrowthPoint = {
  readonly at: number;
  /** Milliseconds per request, median over all requests of the point. */
  readonly wallP50: number;
  readonly wallP99: number;
  /** Microseconds of CPU of our process per request. */
  readonly cpu: number;
  readonly readUnits: number;
  readonly writeUnits: number;
};
