import type { HandlerDeps } from './create-handler.ts';
import { type ApiRequest, openRequest } from './request.ts';

/** An API key that nobody has; and if somebody had it: a request without a body writes nothing. */
const strangersRequest = {
  version: '2.0',
  requestContext: { http: { method: 'PATCH' } },
  headers: { 'x-user-id': '-', 'x-tenant-id': '-', 'x-api-key': '-' },
  pathParameters: { spaceId: '-', fileId: '-' },
};

/** Leaves a second for a connection and a retry; Lambda gives an init ten. */
const context = { getRemainingTimeInMillis: () => 1_500 };

/**
 * Prepares an operation by the request of a stranger, which reads and is refused: what a first request pays for,
 * connecting and compiling, is paid while Lambda still gives init a whole processor (docs/decisions/010).
 *
 * @returns settles within a second or so and never throws: what is out of reach then is for a request to tell
 */
export const createPrime =
  (operation: (request: ApiRequest) => Promise<unknown>, deps: HandlerDeps) => async (): Promise<void> => {
    await operation(openRequest(strangersRequest, context, deps)).catch(() => undefined);
  };
