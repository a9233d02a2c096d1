import { type CallerHeaders, type FileUpdate, problemOf, toRequest } from './request.ts';
import { readResponse } from './response.ts';
import { noResponse, notSent, type UpdateResult } from './result.ts';

export type { FileView } from './file-view.ts';
export type { FilePatch, FileUpdate } from './request.ts';
export type { UpdateError, UpdateResult } from './result.ts';

export type ClientOptions = CallerHeaders & {
  /** URL of the service without the path of the route, for example `https://files.example.com`. */
  readonly baseUrl: string;
  /** Attempts per update, with the first one. Default 4; 1 disables retries. */
  readonly maxAttempts?: number;
  /** Milliseconds for one attempt. Default 15000: the service responds within 5000. */
  readonly timeoutMs?: number;
};

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 20_000;

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

/**
 * Creates a client of `PATCH /v1/spaces/{spaceId}/files/{fileId}` for one caller. It only needs `fetch`: Node 22 or a
 * browser. docs/client.md shows how to use it, and what each error means.
 *
 * `updateFile` never rejects: it resolves to the file or an error. It retries after 429, 5xx and lost connections
 * (docs/contract.md, Retries). Before each retry it waits for `retry-after`, plus a random part of 200, 400, 800 ms and
 * so on up to 10 s. It does not retry when `retry-after` is more than 20 s.
 *
 * @throws {TypeError} when `baseUrl` is not an absolute URL
 */
export const createClient = ({ baseUrl, maxAttempts = 4, timeoutMs = 15_000, ...caller }: ClientOptions) => {
  const base = new URL(baseUrl).href.replace(/\/+$/, '');

  const attempt = async (
    { path, init }: ReturnType<typeof toRequest>,
    signal: AbortSignal,
    earlier: boolean,
  ): Promise<UpdateResult> => {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      return await readResponse(await fetch(base + path, { ...init, signal: limited }), earlier);
    } catch (cause) {
      return noResponse(signal.aborted ? 'aborted' : 'network', true, cause);
    }
  };

  const updateFile = async (update: FileUpdate): Promise<UpdateResult> => {
    const problem = problemOf(caller, update);
    if (problem !== undefined) return notSent(problem);
    const request = toRequest(caller, update);
    const signal = update.signal ?? new AbortController().signal;
    let mayBeApplied = false;
    for (let attempts = 1; ; attempts += 1) {
      if (signal.aborted) return noResponse('aborted', mayBeApplied, signal.reason);
      const result = await attempt(request, signal, mayBeApplied);
      if (result.ok || !result.error.retryable || attempts >= maxAttempts) return result;
      const retryAfter = 'retryAfterMs' in result.error ? result.error.retryAfterMs : 0;
      if (retryAfter > LONGEST_RETRY_AFTER_MS) return result;
      mayBeApplied = result.error.mayBeApplied;
      const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
      await sleep(retryAfter + Math.random() * longest, signal);
    }
  };
  return { updateFile };
};
