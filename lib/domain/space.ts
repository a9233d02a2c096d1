import * as z from 'zod/mini';
import type { ApiKeyRecord } from './api-key.ts';
import { ApiError, type ErrorCode } from './errors.ts';

/** A space as stored. Owner and visibility stay unparsed: a value that is not exactly right grants nothing. */
export const SpaceRecordSchema = z.object({
  tenantId: z.string(),
  spaceId: z.string(),
  ownerId: z.optional(z.unknown()),
  visibility: z.optional(z.unknown()),
});
export type SpaceRecord = z.infer<typeof SpaceRecordSchema>;

/** What a caller names: the key, and a space of a tenant. */
export type AccessQuery = { readonly apiKey: string; readonly tenantId: string; readonly spaceId: string };

/** The records that decide access, as far as they exist. */
export type Access = { readonly apiKey: ApiKeyRecord | undefined; readonly space: SpaceRecord | undefined };

/** The error for a private space of somebody else (docs/decisions/002): 403, not 404. */
const PRIVATE_SPACE_ERROR: ErrorCode = 'permission-denied';

/**
 * Checks that the user may update files of the space. Public: every user of the tenant. Any other visibility counts
 * as private: only the owner (docs/contract.md, Responses).
 *
 * @param space the record found under the caller's own tenant, undefined when there is none
 * @param userId the user on whose behalf the request is made
 * @throws {ApiError} space-not-found, or the error for a private space
 */
export const authorizeSpace = (space: SpaceRecord | undefined, userId: string): void => {
  if (!space) throw new ApiError('space-not-found', { reason: 'tenant has no such space' });
  if (space.visibility === 'public' || space.ownerId === userId) return;
  throw new ApiError(PRIVATE_SPACE_ERROR, { reason: 'space is private and the caller is not its owner' });
};
