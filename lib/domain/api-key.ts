import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { ApiError } from './errors.ts';

const SCOPE = 'PRODUCT';

/** docs/tables.md, API keys, says what each one grants. */
export const roles = ['admin', 'editor', 'viewer'] as const;

/** What an operation needs, and the roles that grant it. An unknown role grants nothing. */
export type Permission = { readonly name: string; readonly roles: readonly (typeof roles)[number][] };

/** Each permission is a constant of its own, so that a bundle has only those that it uses. */
export const updateFiles: Permission = { name: 'files:update', roles: ['admin', 'editor'] };

/** The last second of the year 9999. A larger number is not a time in seconds: usually, it is in milliseconds. */
export const MAX_EPOCH_SECONDS = 253_402_300_799;

/** What the API keys table holds about a key, as far as access depends on it. */
export const ApiKeyRecordSchema = z.object({
  keyHash: z.string(),
  keyId: z.string(),
  tenantId: z.string(),
  scope: z.string(),
  roles: z.array(z.string()),
  /** Epoch seconds; the key is invalid from then on. Absent: no end. Anything else, even NULL, is an error. */
  expiresAt: z.optional(z.number().check(z.maximum(MAX_EPOCH_SECONDS))),
  /** Present in any form: revoked. */
  revokedAt: z.optional(z.unknown()),
});
export type ApiKeyRecord = z.infer<typeof ApiKeyRecordSchema>;

/** API keys are stored by their hash alone: hex SHA-256 of the key as sent. */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey, 'hex');

const invalid = (reason: string) => new ApiError('api-key-invalid', { reason });
const denied = (reason: string) => new ApiError('permission-denied', { reason });

/**
 * Checks that the key has a permission in the tenant (docs/contract.md, Responses).
 *
 * @param apiKey the record of the key that was sent, undefined when no such key is known
 * @param permission what the operation needs
 * @param tenantId the tenant the request names; the key must be bound to it
 * @param now epoch milliseconds
 * @throws {ApiError} api-key-invalid (unknown, revoked, expired), then permission-denied (tenant, scope, role)
 */
export const authorizeKey = (
  apiKey: ApiKeyRecord | undefined,
  { permission, tenantId, now }: { permission: Permission; tenantId: string; now: number },
): void => {
  if (!apiKey) throw invalid('key is unknown');
  if (apiKey.revokedAt !== undefined) throw invalid('key is revoked');
  if (now >= (apiKey.expiresAt ?? Number.POSITIVE_INFINITY) * 1000) throw invalid('key is expired');
  if (apiKey.tenantId !== tenantId) throw denied('key belongs to another tenant');
  if (apiKey.scope !== SCOPE) throw denied('scope of the key is not PRODUCT');
  const granting: readonly string[] = permission.roles;
  if (!apiKey.roles.some((role) => granting.includes(role)))
    throw denied(`no role of the key grants ${permission.name}`);
};
