import { updateFiles } from '#lib/domain/api-key.ts';
import { authorizeSpace } from '#lib/domain/space.ts';
import { authorizeCaller } from '#lib/http/authorize-caller.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiRequest } from '#lib/http/event.ts';
import { readFilePatch } from '#lib/http/read-file-patch.ts';
import { readIdempotencyKey, readIfMatch } from '#lib/http/request-headers.ts';
import { type ApiResponse, fileResponse } from '#lib/http/responses.ts';
import { liveSystem, liveTables } from '#lib/runtime/live.ts';
import { dryRun } from '#lib/runtime/prime.ts';
import type { Tables } from '#lib/store/tables.ts';
import { createStore, type Store } from '#lib/store/update-file.ts';
import type { System } from '#lib/system.ts';

/** What an update needs besides the request. */
type Deps = System & { readonly store: () => Store };

/** Updates a file. Each step throws an ApiError if its check fails. docs/contract.md has their order. */
export const updateFile = async (request: ApiRequest, deps: Deps): Promise<ApiResponse> => {
  const { headers, path, context } = request;
  const { tenantId, userId, space } = await authorizeCaller(request, updateFiles, deps);
  const patch = readFilePatch(request);
  authorizeSpace(space, userId);
  const idempotencyKey = readIdempotencyKey(headers);
  const precondition = readIfMatch(headers);
  const update = { ...path, patch, precondition, tenantId, userId, idempotencyKey };
  return fileResponse(await deps.store().updateFile(update, context));
};

/** @param tables opened by the first request, so that a missing setting gets a response and a log line like any other error */
export const createUpdateHandler = (system: System, tables: () => Tables) => {
  let store: Store | undefined;
  const openStore = () => {
    store ??= createStore(tables(), system);
    return store;
  };
  const deps = { ...system, store: openStore };
  return createHandler('updated', (request) => updateFile(request, deps), system);
};

export const handler = createUpdateHandler(liveSystem, liveTables);
/** Called once, by lib/runtime/entry.ts, while Lambda loads the function. */
export const prime = () => dryRun(createUpdateHandler, liveSystem, liveTables);
