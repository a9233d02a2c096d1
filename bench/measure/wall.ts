import { withEndpoint } from '../endpoint.ts';
import { withFixture } from '../fixture.ts';
import { inRounds, type Measurement, oncePerCode } from '../measurement.ts';
import { measureRun, type Run } from '../process.ts';
import { quantile } from '../results.ts';

/** Wall time per request of a warm process, with DynamoDB as far away as inside a Region. */
export const wall: Measurement = ({ variants, quick }) =>
  withFixture((fixture) =>
    withEndpoint(fixture, { counting: false }, async (environment) => {
      const loop = quick ? { warmUp: 5, requests: 20 } : { warmUp: 10, requests: 30 };
      const { valuesOf, samples } = await inRounds(oncePerCode(variants), quick ? 1 : 5, (variant) =>
        measureRun(variant, { environment, ...loop }),
      );
      // Over all rounds: of a few requests the 99th percentile would be the maximum.
      const p99 = (runs: readonly Run[]) =>
        quantile(
          runs.flatMap(({ wallMs }) => wallMs),
          0.99,
        );
      return {
        'wall p50, ms': valuesOf(({ wallMs }) => quantile(wallMs, 0.5)),
        'wall p99, ms': Object.fromEntries([...samples].map(([id, runs]) => [id, [p99(runs)]])),
      };
    }),
  );
