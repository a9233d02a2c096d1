const scale = Number(process.env['RUNS_SCALE'] ?? 1);
/**
 * How often a property is tried: the same cases in each run of the gate, others and more with RUNS_SCALE=10, and fewer of
 * the same cases below 1.
 */
export const runs = (numRuns: number) =>
  scale > 1 ? { numRuns: numRuns * scale } : { numRuns: Math.ceil(numRuns * scale), seed: 20_261_121 };

/**
 * The limit of a test, in milliseconds: at least three times what it took beside sixteen busy processes on two cores. It grows
 * with RUNS_SCALE. HISTORIES asks for a search, which takes as long as it takes.
 */
export const limitOf = (milliseconds: number) =>
  process.env['HISTORIES'] === undefined ? milliseconds * Math.max(1, scale) : 0;
