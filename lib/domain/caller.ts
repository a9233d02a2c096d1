import { Failure } from './failure.ts';

/** On whose behalf a request runs. The tenant is proven by the key; the user is the key holder's claim. */
export type Caller = {
  readonly tenantId: string;
  readonly userId: string;
  readonly keyId: string;
};

/** The refusal of a caller who is known but not permitted. */
export const permissionDenied = (reason: string): Failure => new Failure('permission-denied', { reason });
