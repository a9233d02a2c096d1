import { readAnswer } from './answer.ts';
import { type CallerHeaders, type FileUpdate, refusalOf, toRequest } from './request.ts';
import { notSent, type UpdateResult, unanswered } from './result.ts';

export type { FileView } from './file-view.ts';
export type { FilePatch, FileUpdate } from './request.ts';
export type { UpdateError, UpdateResult } from './result.ts';

export type ClientOptions = CallerHeaders & {
  /** Where the service is, without the path of the route: `https://files.example.com`. */
  readonly baseUrl: string;
  /** Attempts per update, the first one included; 4 unless told, 1 never repeats. */
  readonly maxAttempts?: number;
  /** Milliseconds for one attempt; 15 000 unless told: the service itself answers or gives up within 10 000. */
  readonly timeoutMs?: number;
  /** The global one unless told; what follows is for tests too. */
  readonly fetch?: typeof globalThis.fetch;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** From 0 to below 1. */
  readonly random?: () => number;
  /** Waits for so many milliseconds, or until the signal is aborted; never rejects. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 20_000;

const sleepFor = (ms: number, signal: AbortSignal): Promise<void> =>
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
 * A client of `PATCH /v1/spaces/{spaceId}/files/{fileId}` for one caller. It needs nothing but fetch: Node 22 or a
 * browser. Copy this folder; docs/client.md shows how, and what each error means.
 *
 * `updateFile` never rejects: it gives the file or an error. It repeats what docs/contract.md ("Sending it again") lets
 * it repeat, that is 429, 5xx and lost connections. Before each repetition it waits as long as `retry-after` says and a
 * random part of 200, 400, 800 ms and so on up to 10 s. A service that asks for more than 20 s is left to the caller.
 *
 * @throws {TypeError} when `baseUrl` is no absolute URL
 */
export const createClient = ({
  baseUrl,
  maxAttempts = 4,
  timeoutMs = 15_000,
  fetch = globalThis.fetch,
  now = Date.now,
  random = Math.random,
  sleep = sleepFor,
  ...caller
}: ClientOptions) => {
  const base = new URL(baseUrl).href.replace(/\/+$/, '');

  const attempt = async (
    { path, init }: ReturnType<typeof toRequest>,
    signal: AbortSignal,
    earlier: boolean,
  ): Promise<UpdateResult> => {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const response = await fetch(base + path, { ...init, signal: limited });
      const { status, headers } = response;
      return readAnswer({ status, headers, text: await response.text() }, { earlier, now });
    } catch (cause) {
      if (signal.aborted) return unanswered('aborted', { mayBeApplied: true, cause });
      return unanswered('network', { mayBeApplied: true, cause });
    }
  };

  const updateFile = async (update: FileUpdate): Promise<UpdateResult> => {
    const refusal = refusalOf(caller, update);
    if (refusal !== undefined) return notSent(refusal);
    const request = toRequest(caller, update);
    const signal = update.signal ?? new AbortController().signal;
    let mayBeApplied = false;
    for (let attempts = 1; ; attempts += 1) {
      if (signal.aborted) return unanswered('aborted', { mayBeApplied, cause: signal.reason });
      const result = await attempt(request, signal, mayBeApplied);
      if (result.ok || !result.error.retryable || attempts >= maxAttempts) return result;
      const retryAfter = 'retryAfterMs' in result.error ? result.error.retryAfterMs : 0;
      if (retryAfter > LONGEST_RETRY_AFTER_MS) return result;
      mayBeApplied = result.error.mayBeApplied;
      const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
      await sleep(retryAfter + random() * longest, signal);
    }
  };
  return { updateFile };
};
