import { isFileView, isObject, isText } from './file-view.ts';
import type { RefusalCode, UpdateResult } from './result.ts';

/** By status; 404 by its message. */
const refusals: ReadonlyMap<number | string, RefusalCode> = new Map<number | string, RefusalCode>([
  [400, 'invalid-request'],
  [401, 'invalid-api-key'],
  [403, 'permission-denied'],
  ['Space not found', 'space-not-found'],
  ['File not found', 'file-not-found'],
  [413, 'too-large'],
  [415, 'unsupported-media-type'],
]);

/** An answer as it came over the wire, read to its end. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Seconds or a date (RFC 9110, 10.2.3) as milliseconds from now; 0 for none, for the past and for nonsense. */
const readRetryAfter = (value: string, now: () => number): number => {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now();
  return ms > 0 ? ms : 0;
};

const retryableCode = (status: number) => {
  if (status === 429) return 'throttled';
  return status === 500 ? 'internal-error' : 'unavailable';
};

/**
 * What an answer means (docs/contract.md, Answers). Only what has the contract's shape is believed; 429 and 5xx come
 * from gateways too, and count whatever their body is.
 *
 * @param earlier whether an earlier attempt may have been applied
 * @param now epoch milliseconds
 */
export const readAnswer = (
  { status, headers, text }: Answer,
  { earlier, now }: { earlier: boolean; now: () => number },
): UpdateResult => {
  const body = parse(text);
  const etag = headers.get('etag');
  const requestId = headers.get('x-request-id') ?? undefined;
  if (status === 200 && isFileView(body) && etag !== null) return { ok: true, file: body, etag, requestId };

  const message = isObject(body) && isText(body['message']) ? body['message'] : undefined;
  // A 4xx has changed nothing, and neither has a redirect; what else is no answer of the contract may have.
  const mayBeApplied = earlier || status < 300 || status >= 500;
  const told = { message: message ?? `HTTP status ${status}`, status, requestId, mayBeApplied };
  if (status === 429 || status >= 500) {
    const retryAfterMs = readRetryAfter(headers.get('retry-after') ?? '', now);
    return { ok: false, error: { ...told, code: retryableCode(status), retryable: true, retryAfterMs } };
  }
  if (message !== undefined && status === 412 && etag !== null) {
    // After a lost attempt the other request may have been our own.
    const code = earlier ? 'outcome-unknown' : 'file-changed';
    return { ok: false, error: { ...told, code, retryable: false, etag } };
  }
  const code = message === undefined ? undefined : refusals.get(status === 404 ? message : status);
  return { ok: false, error: { ...told, code: code ?? 'unexpected-answer', retryable: false } };
};
