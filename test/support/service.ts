import { updateFile } from '#handlers/update-file.ts';
import { createHandler } from '#lib/http/create-handler.ts';
import type { ApiResponse } from '#lib/http/responses.ts';
import { createStore } from '#lib/runtime/deps.ts';
import { aContext } from './context.ts';
import { expectContract } from './contract.ts';
import { NOW } from './given.ts';
import type { Tables } from './tables.ts';

type ServiceOptions = {
  readonly now?: () => number;
  /** What Lambda says it has left, in milliseconds. */
  readonly remainingMs?: number;
};

/** The real handler over real tables, with its clock, ids and log held still. */
export const startService = (
  { client, config }: Pick<Tables, 'client' | 'config'>,
  { now = () => NOW, remainingMs = 10_000 }: ServiceOptions = {},
) => {
  const lines: string[] = [];
  let requests = 0;
  const store = createStore({ client, config, now, random: () => 0 });
  const deps = {
    now,
    newId: () => `request-${++requests}`,
    log: (line: string) => void lines.push(line),
    store: () => store,
  };
  const handler = createHandler(updateFile(deps), deps);
  return {
    /** Any value at all, as Lambda would hand it over. */
    send: async (event: unknown): Promise<ApiResponse> =>
      expectContract(
        await handler(event === undefined ? event : JSON.parse(JSON.stringify(event)), aContext(remainingMs)),
      ),
    /** The log so far, a line each. */
    logged: (): readonly Record<string, unknown>[] => lines.map((line) => JSON.parse(line)),
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
