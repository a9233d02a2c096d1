import { describeFailure } from './failure.ts';
import {
  type ClientOptions,
  type FilePatch,
  type FileUpdate,
  type HttpRequest,
  isEtag,
  readOptions,
  toRequest,
} from './request.ts';
import { readResponse } from './response.ts';
import { aborted, networkError, notSent, type UpdateResult } from './result.ts';

export type { FileView } from './file-view.ts';
export type { ClientOptions, FilePatch, FileUpdate } from './request.ts';
export type { UpdateError, UpdateResult } from './result.ts';

/** The fields of a file that a change needs, and the etag of the same state. A result has both. */
export type KnownFile<Fields> = { readonly file: Fields; readonly etag: string };

/** A file to read, change and write. */
export type FileToChange<Fields> = Omit<FileUpdate, 'patch' | 'ifMatch' | 'idempotencyKey'> & {
  /** The last known state. Without it, `read` is called first. */
  readonly known?: KnownFile<Fields> | undefined;
  /** Reads the fields and the etag together, wherever you can read them (docs/contract.md, Etags). */
  readonly read: () => KnownFile<Fields> | Promise<KnownFile<Fields>>;
};

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 20_000;
/** How often `changeFile` writes before it gives up. */
const MAX_CHANGES = 5;

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

/** A random wait below a limit that doubles with each attempt. */
const backoff = (attempts: number) =>
  Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));

/**
 * Creates a client of `PATCH /v1/spaces/{spaceId}/files/{fileId}` for one caller. It only needs `fetch`: Node 20.3 or a
 * browser. docs/client.md shows how to use it, and what each error means.
 *
 * @throws {TypeError} if an option is missing or wrong
 */
export const createClient = (given: ClientOptions) => {
  const options = readOptions(given);
  const { maxAttempts, timeoutMs } = options;

  const prepare = (update: FileUpdate): ReturnType<typeof toRequest> => {
    try {
      return toRequest(options, update);
    } catch {
      return { problem: 'the update cannot be read' };
    }
  };

  const attempt = async (
    { url, init, fileId, signal }: HttpRequest,
    earlier: boolean,
  ): Promise<UpdateResult> => {
    // A controller and a timer of our own. Older versions of Node collect AbortSignal.any and AbortSignal.timeout as
    // garbage while they are waited for, and fetch would throw the caller's reason as if it were an error of its own.
    const ended = new AbortController();
    const end = () => ended.abort();
    const timeout = new DOMException(`There was no response within ${timeoutMs} ms`, 'TimeoutError');
    const timer = setTimeout(() => ended.abort(timeout), timeoutMs);
    signal.addEventListener('abort', end);
    let isAnswered = false;
    try {
      const response = await fetch(url, { ...init, signal: ended.signal });
      isAnswered = true;
      return await readResponse(response, { fileId, earlier });
    } catch (error) {
      const failure =
        ended.signal.reason === timeout
          ? { message: timeout.message, maybeSent: true }
          : describeFailure(error);
      const mayBeApplied = earlier || isAnswered || failure.maybeSent;
      if (signal.aborted) return aborted(mayBeApplied, signal.reason);
      return networkError({ message: failure.message, mayBeApplied, cause: error });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  };

  /**
   * Updates a file. Never rejects: it resolves to the file or an error. It retries after 429, 5xx and failed
   * connections, all with the same idempotency key (docs/contract.md, Retries). Without a key, it does not retry what may
   * have been applied. Before each retry it waits for `retry-after`, plus a random part of 200, 400, 800 ms and so on up
   * to 10 s. It does not retry when `retry-after` is more than 20 s.
   */
  const updateFile = async (update: FileUpdate): Promise<UpdateResult> => {
    const request = prepare(update);
    if ('problem' in request) return notSent(request.problem);
    const { signal, hasKey } = request;
    let earlier = false;
    for (let attempts = 1; ; attempts += 1) {
      if (signal.aborted) return aborted(earlier, signal.reason);
      const result = await attempt(request, earlier);
      if (result.ok || !result.error.retryable || attempts >= maxAttempts) return result;
      // Without a key, the service could apply it twice.
      if (result.error.mayBeApplied && !hasKey) return result;
      const retryAfter = 'retryAfterMs' in result.error ? result.error.retryAfterMs : 0;
      if (retryAfter > LONGEST_RETRY_AFTER_MS) return result;
      earlier = result.error.mayBeApplied;
      await sleep(retryAfter + backoff(attempts), signal);
    }
  };

  /**
   * Reads, changes and writes a file so that no update of another is lost: it writes with the etag of what `change`
   * was given. When another writer was faster (412), it reads and changes again, at most 5 times in all. Rejects only
   * with what `read` or `change` throws.
   *
   * @param change makes the patch from the current file
   */
  const changeFile = async <Fields>(
    { known, read, ...target }: FileToChange<Fields>,
    change: (file: Fields) => FilePatch,
  ): Promise<UpdateResult> => {
    let current = known;
    for (let changes = 1; ; changes += 1) {
      const state = current ?? (await read());
      // Without it, or with `*`, the write would be unconditional.
      const result = isEtag(state?.etag)
        ? await updateFile({ ...target, patch: change(state.file), ifMatch: state.etag })
        : notSent('etag must be the one that the service sent, with its quotes');
      // One that may be applied must not be made again from another file.
      const isChanged = !result.ok && result.error.code === 'file-changed' && !result.error.mayBeApplied;
      if (!isChanged || changes >= MAX_CHANGES) return result;
      current = undefined;
      await sleep(backoff(changes), target.signal ?? new AbortController().signal);
    }
  };

  return { updateFile, changeFile };
};
