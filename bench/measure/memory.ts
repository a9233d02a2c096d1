import { withFixture } from '../fixture.ts';
import { inRounds, type Measurement, oncePerCode } from '../measurement.ts';
import { measureRun } from '../process.ts';

/** The most resident memory of a process by the end of many requests in a row. */
export const memory: Measurement = ({ variants, quick }) =>
  withFixture(async ({ environment }) => {
    // A heap grows in steps. After fewer requests some variants are just before one.
    const requests = quick ? 200 : 1_500;
    const { valuesOf } = await inRounds(oncePerCode(variants), 1, (variant) =>
      measureRun(variant, { environment, requests }),
    );
    return { 'peak memory, MB': valuesOf(({ peakMb }) => peakMb) };
  });
