import { type Counts, withEndpoint } from '../endpoint.ts';
import { type Fixture, withFixture } from '../fixture.ts';
import { inRounds, type Measurement, oncePerCode } from '../measurement.ts';
import { measureRun, type Variant } from '../process.ts';

/** A count needs no rounds; ten requests would show a cache. */
const requests = 10;

/** Calls to DynamoDB and capacity units per request. Those of the module load do not count. */
export const countCalls = (variant: Variant, fixture: Fixture, events?: readonly object[]): Promise<Counts> =>
  withEndpoint(fixture, { counting: true }, async (environment, takeCounts) => {
    await measureRun(variant, { environment, events, requests, beforeJob: takeCounts });
    const { calls, readUnits, writeUnits } = takeCounts();
    return {
      calls: calls / requests,
      readUnits: readUnits / requests,
      writeUnits: writeUnits / requests,
    };
  });

export const calls: Measurement = async ({ variants }) => {
  // An engine for each variant: what one leaves on a record would count for the next.
  const { valuesOf } = await inRounds(oncePerCode(variants), 1, (variant) =>
    withFixture((fixture) => countCalls(variant, fixture)),
  );
  return {
    calls: valuesOf((counts) => counts.calls),
    'read units': valuesOf(({ readUnits }) => readUnits),
    'write units': valuesOf(({ writeUnits }) => writeUnits),
  };
};
