import { updateFiles } from '#lib/domain/api-key.ts';
import { authorizeSpace } from '#lib/domain/space.ts';
import { authorizeCaller } from '#lib/http/authorize-caller.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiRequest } from '#lib/http/open-request.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import { readIdempotencyKey, readIfMatch } from '#lib/http/request-headers.ts';
import { fileResponse } from '#lib/http/responses.ts';
import { type Deps, liveDeps } from '#lib/runtime/deps.ts';
import { createPrime } from '#lib/runtime/prime.ts';
import { createUpdateStore } from '#lib/store/update-file.ts';

type UpdateDeps = Deps<ReturnType<typeof createUpdateStore>>;

/** Updates a file. Each step throws an ApiError if its check fails; their order is that of docs/contract.md. */
export const updateFile = (deps: UpdateDeps) => async (request: ApiRequest) => {
  const { headers, path, context } = request;
  const { tenantId, userId, space } = await authorizeCaller(request, updateFiles, deps);
  const patch = readFilePatch(request);
  authorizeSpace(space, userId);
  const idempotencyKey = readIdempotencyKey(headers);
  const precondition = readIfMatch(headers);
  const update = { ...path, patch, precondition, tenantId, userId, idempotencyKey };
  return fileResponse(await deps.store().updateFile(update, context));
};

export const createUpdateHandler = (deps: UpdateDeps) =>
  createHandler({ success: 'updated', run: updateFile(deps) }, deps);

const live = liveDeps(createUpdateStore);
export const handler = createUpdateHandler(live);
/** Called once, by lib/runtime/entry.ts, while Lambda loads the function. */
export const prime = createPrime(createUpdateStore, createUpdateHandler, live);
