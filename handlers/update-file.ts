import { authorizeKey } from '#lib/domain/api-key.ts';
import { authorizeSpace } from '#lib/domain/space.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiRequest } from '#lib/http/open-request.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import { readApiKey, readCallerIds, readIdempotencyKey, readIfMatch } from '#lib/http/request-headers.ts';
import { fileResponse } from '#lib/http/responses.ts';
import { type Deps, liveDeps } from '#lib/runtime/deps.ts';
import { createPrime } from '#lib/runtime/prime.ts';

/**
 * PATCH /v1/spaces/{spaceId}/files/{fileId}. Each step throws an ApiError if its check fails; the order of the steps
 * is the order of checks in docs/contract.md.
 */
export const updateFile = (deps: Deps) => async (request: ApiRequest) => {
  const { headers, spaceId, fileId, context } = request;
  const { userId, tenantId } = readCallerIds(headers);
  context.logFields.userId = userId;
  context.logFields.tenantId = tenantId;

  const store = deps.store();
  const access = await store.readAccess({ apiKey: readApiKey(headers), tenantId, spaceId }, context);
  context.logFields.keyId = access.apiKey?.keyId;
  authorizeKey(access.apiKey, { tenantId, now: deps.now() });

  const patch = readFilePatch(request);
  authorizeSpace(access.space, userId);
  const idempotencyKey = readIdempotencyKey(headers);
  const precondition = readIfMatch(headers);
  const update = { spaceId, fileId, patch, precondition, tenantId, userId, idempotencyKey };
  return fileResponse(await store.updateFile(update, context));
};

const live = liveDeps();
export const handler = createHandler(updateFile(live), live);
/** Called once, by lib/runtime/entry.ts, while Lambda loads the function. */
export const prime = createPrime(updateFile(live), live);
