import * as z from 'zod/mini';
import { ApiError } from './errors.ts';

/** The scope a key must have (docs/contract.md, Tables). */
const SCOPE = 'PRODUCT';

/** What a key may be allowed to do. */
type Permission = 'files:update';

/** The one table of roles (docs/contract.md, Tables). A Map, so that no inherited name is ever a role. */
const permissionsByRole: ReadonlyMap<string, readonly Permission[]> = new Map([
  ['admin', ['files:update']],
  ['editor', ['files:update']],
  ['viewer', []],
]);

/** The names of all roles. */
export const roles: readonly string[] = [...permissionsByRole.keys()];

/** Whether a role grants the permission. An unknown role grants nothing. */
const grants = (role: string, permission: Permission) => permissionsByRole.get(role)?.includes(permission);

/** What the API keys table holds about a key, as far as access depends on it. */
export const ApiKeyRecordSchema = z.object({
  keyHash: z.string(),
  keyId: z.string(),
  tenantId: z.string(),
  scope: z.string(),
  roles: z.array(z.string()),
  /** Epoch seconds; the key is invalid from then on. */
  expiresAt: z.optional(z.number()),
  /** Present in any form: revoked. */
  revokedAt: z.optional(z.unknown()),
});
export type ApiKeyRecord = z.infer<typeof ApiKeyRecordSchema>;

const invalid = (reason: string) => new ApiError('api-key-invalid', { reason });
const denied = (reason: string) => new ApiError('permission-denied', { reason });

/**
 * Checks that the key may update files of the tenant (docs/contract.md, Responses).
 *
 * @param apiKey the record of the key that was sent, undefined when no such key is known
 * @param tenantId the tenant the request names; the key must be bound to it
 * @param now epoch milliseconds
 * @throws {ApiError} api-key-invalid (unknown, revoked, expired), then permission-denied (tenant, scope, role)
 */
export const authorizeKey = (
  apiKey: ApiKeyRecord | undefined,
  { tenantId, now }: { tenantId: string; now: number },
): void => {
  if (!apiKey) throw invalid('key is unknown');
  if (apiKey.revokedAt !== undefined) throw invalid('key is revoked');
  if (now >= (apiKey.expiresAt ?? Number.POSITIVE_INFINITY) * 1000) throw invalid('key is expired');
  if (apiKey.tenantId !== tenantId) throw denied('key belongs to another tenant');
  if (apiKey.scope !== SCOPE) throw denied('scope of the key is not PRODUCT');
  if (!apiKey.roles.some((role) => grants(role, 'files:update')))
    throw denied('no role of the key grants files:update');
};
