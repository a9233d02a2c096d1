const scale = Number(process.env['RUNS_SCALE'] ?? 1);
/**
 * How often a property is tried: the same cases in each run of the gate, others and more with RUNS_SCALE=10. Below 1,
 * fewer of the same cases, and a failure is not made smaller.
 */
export const runs = (numRuns: number) =>
  scale > 1
    ? { numRuns: numRuns * scale }
    : { numRuns: Math.ceil(numRuns * scale), seed: 20_261_121, endOnFailure: scale < 1 };
