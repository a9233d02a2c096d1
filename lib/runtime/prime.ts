import { type ApiRequest, RESERVED_MS, toApiRequest } from '#lib/http/open-request.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import { withTimeout } from '#lib/system.ts';
import type { Deps } from './deps.ts';

/** The longest time for all steps, in milliseconds: a connection and a retry. Lambda gives an init ten seconds. */
const PRIME_TIMEOUT_MS = 1_000;

/** Its API key is one that nobody has; and if somebody had it: a request without a body writes nothing. */
const dummyEvent: unknown = {
  version: '2.0',
  requestContext: { http: { method: 'PATCH' } },
  headers: { 'x-user-id': '-', 'x-tenant-id': '-', 'x-api-key': '-', 'content-type': 'application/json' },
  pathParameters: { spaceId: '-', fileId: '-' },
};
const dummyBody = '{"summary":"-","documentKind":null}';

/**
 * Prepares an operation during init, while Lambda gives it a whole processor: connects by one unauthenticated dummy
 * request, compiles by a write that is never sent (docs/decisions/008).
 *
 * @returns settles within PRIME_TIMEOUT_MS and never throws: a problem is reported by the first request that meets it
 */
export const createPrime =
  (operation: (request: ApiRequest) => Promise<unknown>, deps: Deps) => async (): Promise<void> => {
    const steps = [
      operation,
      async (request: ApiRequest) => deps.store().dryRunWrite(readFilePatch({ ...request, body: dummyBody })),
    ];
    const runSteps = async () => {
      const context = { getRemainingTimeInMillis: () => PRIME_TIMEOUT_MS + RESERVED_MS };
      for (const step of steps) {
        try {
          await step(toApiRequest(dummyEvent, context, deps));
        } catch {
          // Rejected or aborted, as intended; or DynamoDB is out of reach.
        }
      }
    };
    try {
      await withTimeout(PRIME_TIMEOUT_MS, runSteps, deps);
    } catch {
      // Not settled in time.
    }
  };
