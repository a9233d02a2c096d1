import type { ApiKeyRecord, SpaceRecord } from './records.ts';
import { invalidKey, noSpace, notPermitted, type Refusal } from './refusal.ts';

const rolesThatUpdate: readonly string[] = ['admin', 'editor'];

/** Why a key may not update files of the tenant; undefined when it may. */
export const refusalOfKey = (apiKey: ApiKeyRecord | undefined, tenantId: string): Refusal | undefined => {
  if (!apiKey || apiKey.revokedAt !== undefined) return invalidKey;
  if (apiKey.expiresAt !== undefined && Date.now() >= apiKey.expiresAt * 1000) return invalidKey;
  if (apiKey.tenantId !== tenantId || apiKey.scope !== 'PRODUCT') return notPermitted;
  return apiKey.roles.some((role) => rolesThatUpdate.includes(role)) ? undefined : notPermitted;
};

/** Why the user may not enter the space; undefined when they may. */
export const refusalOfSpace = (space: SpaceRecord | undefined, userId: string): Refusal | undefined => {
  if (!space) return noSpace;
  return space.visibility === 'public' || space.ownerId === userId ? undefined : notPermitted;
};
