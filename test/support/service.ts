import { updateFile } from '#handlers/update-file.ts';
import type { Environment } from '#lib/context.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { expectContract } from './contract.ts';
import { createEnvironment } from './environment.ts';
import { aContext } from './event.ts';
import type { Tables } from './tables.ts';

type ServiceOptions = Partial<Environment> & {
  /** The time that Lambda has left, in milliseconds. */
  readonly remainingMs?: number;
};

/** The handler over tables of the engine, in an environment without real time. */
export const startService = (
  { client, config }: Pick<Tables, 'client' | 'config'>,
  { remainingMs = 10_000, ...overrides }: ServiceOptions = {},
) => {
  const environment = createEnvironment(overrides);
  const store = createStore({ client, ...config }, environment);
  const handler = createHandler(updateFile({ ...environment, store: () => store }), environment);
  return {
    /** Any value at all, as Lambda passes it on. */
    send: async (event: unknown): Promise<ApiResponse> =>
      expectContract(
        await handler(event === undefined ? event : JSON.parse(JSON.stringify(event)), aContext(remainingMs)),
      ),
    /** The lines of the log, parsed. */
    logged: environment.logged,
  };
};

const standardHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** A whole response with the headers that every response carries. */
export const aResponse = (
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
  requestId = 'request-1',
) => ({
  statusCode,
  headers: { ...standardHeaders, ...headers, 'x-request-id': requestId },
  body: JSON.stringify(body),
});

/** A whole error response. */
export const anError = (statusCode: number, message: string, headers: Record<string, string> = {}) =>
  aResponse(statusCode, { message }, headers);

/** 200 with the file and the etag of a version. */
export const anUpdate = (view: unknown, version: number, requestId = 'request-1') =>
  aResponse(200, view, { etag: `"${version}"` }, requestId);
