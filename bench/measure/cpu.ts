import { withFixture } from '../fixture.ts';
import { inRounds, type Measurement, oncePerCode } from '../measurement.ts';
import { measureRun } from '../process.ts';

/** CPU per request of a warm process on the engine: user and system time. */
export const cpu: Measurement = ({ variants, quick }) =>
  withFixture(async ({ environment }) => {
    const loop = { warmUp: 80, requests: quick ? 80 : 160 };
    const { valuesOf } = await inRounds(oncePerCode(variants), quick ? 1 : 5, (variant) =>
      measureRun(variant, { environment, ...loop }),
    );
    return { 'CPU, µs': valuesOf(({ cpuUs }) => cpuUs) };
  });
