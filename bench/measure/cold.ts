import { withFixture } from '../fixture.ts';
import { inRounds, type Measurement } from '../measurement.ts';
import { measureRun } from '../process.ts';

/** Cold start on the engine: module load and first request of a fresh process. */
export const cold: Measurement = ({ variants, quick }) =>
  withFixture(async ({ environment }) => {
    const { valuesOf } = await inRounds(variants, quick ? 3 : 15, (variant) =>
      measureRun(variant, { environment }),
    );
    return {
      'cold start, ms': valuesOf(({ loadMs, wallMs: [first = Number.NaN] }) => loadMs + first),
    };
  });
