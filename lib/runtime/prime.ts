import { type EventReader, forEachName } from '#lib/http/event.ts';
import { type ApiRequest, openRequest, RESERVED_MS } from '#lib/http/open-request.ts';
import { type System, withTimeout } from '#lib/system.ts';

/** The longest time for all steps, in milliseconds: a connection and a retry. Lambda gives an init ten seconds. */
const PRIME_TIMEOUT_MS = 1_000;

/** Nobody has this API key. A request without a body writes nothing, even if somebody had it. */
const dummyEvent = (parameters: readonly string[]): unknown => ({
  version: '2.0',
  requestContext: { http: { method: '-' } },
  headers: { 'x-user-id': '-', 'x-tenant-id': '-', 'x-api-key': '-', 'content-type': 'application/json' },
  pathParameters: forEachName(parameters, () => '-'),
});

/**
 * Prepares an operation during init, while Lambda gives it a whole processor (docs/decisions/008).
 *
 * @param eventReader that of the operation: each request uses what it compiles
 * @param steps each gets a dummy request without a body: the operation itself, which connects by one unauthenticated
 * read, and what else is to be compiled
 * @returns settles within PRIME_TIMEOUT_MS and never throws: a problem is reported by the first request that meets it
 */
export const createPrime =
  <Name extends string>(
    { parameters, readEvent }: EventReader<Name>,
    steps: readonly ((request: ApiRequest<Name>) => Promise<unknown>)[],
    system: System,
  ) =>
  async (): Promise<void> => {
    const runSteps = async () => {
      const context = { getRemainingTimeInMillis: () => PRIME_TIMEOUT_MS + RESERVED_MS };
      const event = readEvent(dummyEvent(parameters));
      for (const step of steps) {
        try {
          await step({ ...openRequest(context, system), ...event });
        } catch {
          // Rejected or aborted, as intended; or DynamoDB is out of reach.
        }
      }
    };
    try {
      await withTimeout(PRIME_TIMEOUT_MS, runSteps, system);
    } catch {
      // Not settled in time.
    }
  };
