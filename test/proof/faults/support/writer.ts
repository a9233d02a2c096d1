import type { ApiResponse } from '#lib/http/responses.ts';
import { aContext } from '#test/support/context.ts';
import { anEvent } from '#test/support/event.ts';
import { clock } from './clock.ts';
import type { Operation, Patch } from './history.ts';
import type { Instance } from './instances.ts';
import { toSnapshot } from './snapshot.ts';

export type Update = {
  readonly spaceId: string;
  readonly fileId: string;
  readonly patch: Patch;
  /** The versions that If-Match names. */
  readonly allowed?: readonly number[];
  /** What Lambda says it has left. */
  readonly remainingMs?: number;
};
/** An operation of a history together with the answer it was told by. */
export type Told = Operation & { readonly response: ApiResponse };

const versionOf = ({ headers }: ApiResponse): number | undefined =>
  headers['etag'] === undefined ? undefined : Number(headers['etag'].slice(1, -1));

type WriterOptions = {
  readonly instance: Instance;
  readonly apiKey?: string | undefined;
  /** Gets every line of the log. */
  readonly log?: (line: string) => void;
};

/** Sends to one Lambda instance, telling each PATCH as an operation of a history. */
export const openWriter = ({ instance, apiKey = 'editor-key', log }: WriterOptions) => {
  const repeats = new Map<string, boolean>();
  const note = (line: string) => {
    log?.(line);
    const { requestId, retries, refusals } = JSON.parse(line);
    repeats.set(requestId, retries + refusals > 0);
  };
  const handler = instance(note);

  return async (update: Update): Promise<Told> => {
    const { spaceId, fileId, patch, allowed, remainingMs = 10_000 } = update;
    const ifMatch = allowed && { 'if-match': allowed.map((version) => `"${version}"`).join(', ') };
    const headers = { 'x-api-key': apiKey, ...ifMatch };
    const event = anEvent({ headers, spaceId, fileId, body: JSON.stringify(patch) });
    const began = clock();
    const response = await handler(JSON.parse(JSON.stringify(event)), aContext(remainingMs));
    const answered = clock();

    const id = response.headers['x-request-id'] ?? '';
    const repeated = repeats.get(id) ?? true;
    repeats.delete(id);
    const status = response.statusCode;
    const version = versionOf(response);
    const times = { began, answered, limitMs: remainingMs };
    return {
      ...{ id, patch, ...times, status, repeated, response },
      ...(version !== undefined && { version }),
      ...(status === 200 && { snapshot: toSnapshot(JSON.parse(response.body)) }),
      ...(allowed && { allowed }),
    };
  };
};
export type Writer = ReturnType<typeof openWriter>;
