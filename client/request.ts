import { isObject } from './file-view.ts';

type Text = string | null;

/** A string is set, `null` clears, an absent field keeps its value. At least one field must be present. */
export type FilePatch = { summary: Text; documentKind?: Text } | { summary?: Text; documentKind: Text };

/** One update of one file. */
export type FileUpdate = {
  readonly spaceId: string;
  readonly fileId: string;
  readonly patch: FilePatch;
  /** The etag of an earlier response: update the file only if nobody has changed it since. */
  readonly ifMatch?: string | undefined;
  /**
   * Makes the update and its retries take effect once. Default: a new random key. `null` sends none; the client then
   * does not retry an attempt that may have been applied.
   */
  readonly idempotencyKey?: string | null | undefined;
  /** Aborts the request, its retries and the waits between them. */
  readonly signal?: AbortSignal | undefined;
};

/** What all updates of one client have in common. */
export type ClientOptions = {
  /** URL of the service without the path of the route, for example `https://files.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tenantId: string;
  readonly userId: string;
  /** Attempts per update, with the first one. Default 4; 1 disables retries. */
  readonly maxAttempts?: number | undefined;
  /** Milliseconds for one attempt, at most 2147483647. Default 15000: the service responds within 5000. */
  readonly timeoutMs?: number | undefined;
};

const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** A value that arrives unchanged (RFC 9110, 5.5). fetch would trim the ends, and so name another caller. */
const fitsHeader = (value: unknown) => typeof value === 'string' && /^[!-~]([ -~]*[!-~])?$/.test(value);

/** One strong etag (RFC 9110, 8.8.3), for `If-Match`. */
export const isEtag = (value: unknown) => typeof value === 'string' && /^"[!#-~]*"$/.test(value);

/** `.` and `..` would name another path, even when they are encoded. */
const fitsPath = (id: unknown) =>
  typeof id === 'string' && !['', '.', '..'].includes(id) && !/\p{Cs}/u.test(id);

/** A URL to which a path can be appended. fetch refuses one with a user name. */
const fitsBaseUrl = (url: unknown) =>
  typeof url === 'string' && /^https?:\/\/[^?#@]+$/i.test(url) && URL.canParse(url);

const isCount = (value: unknown, max: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;

/** The longest delay of a timer, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** What is wrong with texts that become headers, by the name of the first one; undefined if nothing is. */
const problemOfTexts = (texts: Readonly<Record<string, unknown>>): string | undefined => {
  const wrong = Object.entries(texts).find(([, value]) => !fitsHeader(value));
  return wrong && `${wrong[0]} must be printable ASCII, without spaces around it`;
};

/** All options, also those that have a default. */
type ReadOptions = { readonly [Name in keyof ClientOptions]-?: NonNullable<ClientOptions[Name]> };

/** What is wrong with the options, in a sentence without values; undefined if nothing is. */
const problemOfOptions = (options: ReadOptions): string | undefined => {
  const { baseUrl, apiKey, tenantId, userId, maxAttempts, timeoutMs } = options;
  if (!fitsBaseUrl(baseUrl)) return 'baseUrl must be an http or https URL without user, query and fragment';
  if (!isCount(maxAttempts, Number.MAX_SAFE_INTEGER)) return 'maxAttempts must be an integer of at least 1';
  if (!isCount(timeoutMs, MAX_TIMEOUT_MS)) return `timeoutMs must be an integer from 1 to ${MAX_TIMEOUT_MS}`;
  return problemOfTexts({ apiKey, tenantId, userId });
};

/**
 * The options as they are now, with the default of each one that is absent.
 *
 * @throws {TypeError} if one of them is wrong, in a sentence without its value
 */
export const readOptions = (options: ClientOptions): ReadOptions => {
  if (!isObject(options)) throw new TypeError('options must have baseUrl, apiKey, tenantId and userId');
  const { baseUrl, apiKey, tenantId, userId, maxAttempts = 4, timeoutMs = 15_000 } = options;
  const read = { baseUrl, apiKey, tenantId, userId, maxAttempts, timeoutMs };
  const problem = problemOfOptions(read);
  if (problem !== undefined) throw new TypeError(problem);
  return read;
};

/** Why this update cannot be sent, in a sentence without values; undefined if it can. */
const problemOf = (update: FileUpdate): string | undefined => {
  const { spaceId, fileId, patch, signal, ifMatch, idempotencyKey } = update;
  const id = Object.entries({ spaceId, fileId }).find(([, value]) => !fitsPath(value));
  if (id) return `${id[0]} cannot be part of a URL`;
  const text = problemOfTexts({
    ...(ifMatch !== undefined && { ifMatch }),
    ...(idempotencyKey !== undefined && idempotencyKey !== null && { idempotencyKey }),
  });
  if (text !== undefined) return text;
  // The second check throws for an object that only inherits from a signal.
  if (signal !== undefined && !(signal instanceof AbortSignal && typeof signal.aborted === 'boolean'))
    return 'signal must be an AbortSignal';
  if (!isObject(patch) || Array.isArray(patch)) return 'patch must be an object';
  // JSON omits undefined, and makes null of a number such as NaN: it would keep or clear the field.
  const field = Object.entries(patch).find(([, value]) => value !== null && typeof value !== 'string');
  return field && `${field[0]} must be a string, or null to clear it, or be omitted to keep it`;
};

/** What fetch takes, without a signal, and what the client needs besides. */
export type HttpRequest = {
  readonly url: string;
  readonly init: RequestInit;
  readonly fileId: string;
  /** The caller's signal, or one that is never aborted. */
  readonly signal: AbortSignal;
  /** Whether the service recognizes a repetition, so that the request takes effect once. */
  readonly hasKey: boolean;
};

/** The request of an update, or why it cannot be sent. */
export const toRequest = (
  { baseUrl, apiKey, tenantId, userId }: ClientOptions,
  update: FileUpdate,
): HttpRequest | { readonly problem: string } => {
  const problem = problemOf(update);
  if (problem !== undefined) return { problem };
  const { spaceId, fileId, patch, ifMatch, idempotencyKey = randomKey() } = update;
  const { signal = new AbortController().signal } = update;
  const init: RequestInit = {
    method: 'PATCH',
    headers: {
      'content-type': 'application/json',
      'x-api-key': apiKey,
      'x-tenant-id': tenantId,
      'x-user-id': userId,
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify({ ...patch }),
    // A redirect that is followed would send the API key to another host.
    redirect: 'manual',
  };
  const path = `v1/spaces/${encodeURIComponent(spaceId)}/files/${encodeURIComponent(fileId)}`;
  const url = `${baseUrl.replace(/\/+$/, '')}/${path}`;
  return { url, init, fileId, signal, hasKey: idempotencyKey !== null };
};
