import * as z from 'zod/mini';
import { type Caller, permissionDenied } from './caller.ts';
import { Failure } from './failure.ts';
import { grants } from './role.ts';

/** The scope a key must have (spec, section 5). */
const SCOPE = 'PRODUCT';

/** What the API keys table holds about a key, as far as access depends on it. */
export const ApiKeyRecordSchema = z.object({
  keyHash: z.string(),
  keyId: z.string(),
  tenantId: z.string(),
  scope: z.string(),
  roles: z.array(z.string()),
  /** Epoch seconds; the key is void from then on. */
  expiresAt: z.optional(z.number()),
  /** Present in any form: revoked. */
  revokedAt: z.optional(z.unknown()),
});
export type ApiKeyRecord = z.infer<typeof ApiKeyRecordSchema>;

const invalid = (reason: string) => new Failure('api-key-invalid', { reason });

/**
 * Who calls, proven by the key's record.
 *
 * @param apiKey the record of the key that was sent, undefined when no such key is known
 * @param tenantId the tenant the request names; the key must be bound to it
 * @param now epoch milliseconds
 * @throws {Failure} api-key-invalid (unknown, revoked, expired), then permission-denied (tenant, scope, role)
 */
export const identifyCaller = (
  apiKey: ApiKeyRecord | undefined,
  { tenantId, userId, now }: { tenantId: string; userId: string; now: number },
): Caller => {
  if (!apiKey) throw invalid('key is unknown');
  if (apiKey.revokedAt !== undefined) throw invalid('key is revoked');
  if (now >= (apiKey.expiresAt ?? Number.POSITIVE_INFINITY) * 1000) throw invalid('key is expired');
  if (apiKey.tenantId !== tenantId) throw permissionDenied('key belongs to another tenant');
  if (apiKey.scope !== SCOPE) throw permissionDenied('scope of the key is not PRODUCT');
  if (!grants(apiKey.roles, 'files:update')) throw permissionDenied('no role of the key grants files:update');
  return { tenantId, userId, keyId: apiKey.keyId };
};
