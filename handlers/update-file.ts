import { type Deps, liveDeps } from '#lib/deps.ts';
import { identifyCaller } from '#lib/domain/api-key.ts';
import { enterSpace } from '#lib/domain/space.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import { readIfMatch } from '#lib/http/etag.ts';
import { createPrime } from '#lib/http/prime.ts';
import { readApiKey } from '#lib/http/read-api-key.ts';
import { readCallerIds } from '#lib/http/read-caller-ids.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import type { ApiRequest } from '#lib/http/request.ts';
import { fileResponse } from '#lib/http/response.ts';

/**
 * PATCH /v1/spaces/{spaceId}/files/{fileId}. Each step refuses by throwing its failure; the order of the steps is
 * the order of checks in docs/contract.md.
 */
export const updateFile = (deps: Deps) => async (request: ApiRequest) => {
  const { headers, spaceId, fileId, call } = request;
  const { userId, tenantId } = readCallerIds(headers);
  request.note({ userId, tenantId });

  const store = deps.store();
  const access = await store.readAccess({ apiKey: readApiKey(headers), tenantId, spaceId }, call);
  request.note({ keyId: access.apiKey?.keyId });
  const caller = identifyCaller(access.apiKey, { tenantId, userId, now: deps.now() });

  const patch = readFilePatch(request);
  const space = enterSpace(access.space, caller);
  const precondition = readIfMatch(headers);
  const update = { spaceId: space.spaceId, fileId, patch, precondition, updatedBy: userId };
  return fileResponse(await store.updateFile(update, call));
};

// Marked pure, so that a bundle which wants the operation alone gets no more.
const deps = /* @__PURE__ */ liveDeps();
export const handler = /* @__PURE__ */ createHandler(/* @__PURE__ */ updateFile(deps), deps);
export const prime = /* @__PURE__ */ createPrime(/* @__PURE__ */ updateFile(deps), deps);
