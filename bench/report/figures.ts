/** A figure of every variant, as the tables show it. */
export type Figure = {
  /** The id of its measurement. */
  readonly id: string;
  /** A column's head, without the unit. */
  readonly head: string;
  /** In a sentence. */
  readonly name: string;
  /** Counted and not timed: the same in every round, and no ratio is needed. */
  readonly counted?: true;
};

/** The figures by what they tell; each group is one table. In all of them less is better. */
export const figureGroups: readonly { readonly title: string; readonly figures: readonly Figure[] }[] = [
  {
    title: 'Size and memory',
    figures: [
      { id: 'size', head: 'bundle', name: 'bundle' },
      { id: 'gzip', head: 'gzip', name: 'gzipped bundle' },
      { id: 'memory-first', head: 'after first', name: 'memory after the first request' },
      { id: 'memory', head: 'peak', name: 'peak memory' },
    ],
  },
  {
    title: 'Cold start',
    figures: [
      { id: 'cold', head: 'cold', name: 'cold start' },
      { id: 'cold-init', head: 'init', name: 'module load' },
      { id: 'cold-first', head: 'first', name: 'first request' },
      { id: 'cold-tls', head: 'TLS', name: 'cold start over TLS' },
      { id: 'cold-512', head: '512 MB', name: 'cold start at 512 MB' },
    ],
  },
  {
    title: 'Warm',
    figures: [
      { id: 'wall', head: 'wall p50', name: 'wall time p50' },
      { id: 'wall-p99', head: 'wall p99', name: 'wall time p99' },
      { id: 'warm-stubbed', head: 'CPU stubbed', name: 'stubbed warm CPU' },
      { id: 'warm-engine', head: 'CPU engine', name: 'warm CPU on the engine' },
    ],
  },
  {
    title: 'Calls and units per update',
    figures: [
      { id: 'calls', head: 'calls', name: 'calls', counted: true },
      { id: 'read-units', head: 'read units', name: 'read units', counted: true },
      { id: 'write-units', head: 'write units', name: 'write units', counted: true },
    ],
  },
];

/** All figures, in the order of the tables. */
export const figures: readonly Figure[] = figureGroups.flatMap((group) => group.figures);
