import { authorizeKey, type Permission } from '#lib/domain/api-key.ts';
import type { Access, AccessQuery } from '#lib/domain/space.ts';
import type { RequestContext } from '#lib/request-context.ts';
import type { System } from '#lib/system.ts';
import type { ApiRequest } from './event.ts';
import { readApiKey, readCallerIds } from './request-headers.ts';

/** The part of an operation's dependencies that decides access. */
type AccessDeps = Pick<System, 'now'> & {
  readonly store: () => {
    readonly readAccess: (query: AccessQuery, context: RequestContext) => Promise<Access>;
  };
};

/**
 * The first steps of each operation on a space: who asks, and whether the key has the permission. Notes the ids for the
 * log as soon as each is known.
 *
 * @returns the ids of the caller, and the space, which the operation must still check (lib/domain/space.ts)
 * @throws {ApiError} the errors of readCallerIds, readApiKey and authorizeKey, and unavailable
 * @throws {InternalError} when a record does not fit, or a setting is missing
 */
export const authorizeCaller = async (
  { headers, path, context }: ApiRequest,
  permission: Permission,
  deps: AccessDeps,
) => {
  const { userId, tenantId } = readCallerIds(headers, context.logFields);

  const { readAccess } = deps.store();
  const query = { apiKey: readApiKey(headers), tenantId, spaceId: path.spaceId };
  const { apiKey, space } = await readAccess(query, context);
  context.logFields.keyId = apiKey?.keyId;
  authorizeKey(apiKey, { permission, tenantId, now: deps.now() });
  return { userId, tenantId, space };
};
