import * as z from 'zod/mini';
import type { Caller } from './caller.ts';
import { Failure, type FailureCode } from './failure.ts';

/** A space as stored. Owner and visibility stay unparsed: whatever is not exactly right opens nothing. */
export const SpaceRecordSchema = z.object({
  tenantId: z.string(),
  spaceId: z.string(),
  ownerId: z.optional(z.unknown()),
  visibility: z.optional(z.unknown()),
});
export type SpaceRecord = z.infer<typeof SpaceRecordSchema>;

/** How a private space refuses a caller who is not its owner (docs/decisions/002): 403, not 404. */
const PRIVATE_SPACE_REFUSAL: FailureCode = 'permission-denied';

/**
 * Lets the caller into the space, or refuses. Public: everyone of the tenant. Anything else is closed like a
 * private space: its owner only (spec, section 4, "Access rules").
 *
 * @param space the record found under the caller's own tenant, undefined when there is none
 * @throws {Failure} space-not-found, or the refusal of a private space
 */
export const enterSpace = (space: SpaceRecord | undefined, caller: Caller): SpaceRecord => {
  if (!space) throw new Failure('space-not-found', { reason: 'tenant has no such space' });
  if (space.visibility === 'public' || space.ownerId === caller.userId) return space;
  throw new Failure(PRIVATE_SPACE_REFUSAL, { reason: 'space is private and the caller is not its owner' });
};
