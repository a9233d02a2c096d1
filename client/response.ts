import { isFileView, isObject, isText } from './file-view.ts';
import type { RejectionCode, UpdateResult } from './result.ts';

/** Codes by status, and for 404 by message. */
const rejections: ReadonlyMap<number | string, RejectionCode> = new Map<number | string, RejectionCode>([
  [400, 'invalid-request'],
  [401, 'invalid-api-key'],
  [403, 'permission-denied'],
  ['Space not found', 'space-not-found'],
  ['File not found', 'file-not-found'],
  [413, 'too-large'],
  [415, 'unsupported-media-type'],
]);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Seconds or a date (RFC 9110, 10.2.3), as milliseconds from now. 0 if it is missing, past or malformed. */
const readRetryAfter = (value: string): number => {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? ms : 0;
};

/** Codes by status; of other 5xx, `unavailable`. */
const retryable: ReadonlyMap<number, 'throttled' | 'internal-error'> = new Map([
  [429, 'throttled'],
  [500, 'internal-error'],
]);

/**
 * The result that a response means (docs/contract.md, Responses). A response of another form is `unexpected-response`.
 * 429 and 5xx may have any body, because gateways send them too. Rejects when the body is cut off.
 *
 * @param earlier whether an earlier attempt may have been applied
 */
export const readResponse = async (response: Response, earlier: boolean): Promise<UpdateResult> => {
  const { status, headers } = response;
  const body = parse(await response.text());
  const etag = headers.get('etag');
  const requestId = headers.get('x-request-id') ?? undefined;
  if (status === 200 && isFileView(body) && etag !== null) return { ok: true, file: body, etag, requestId };

  const message = isObject(body) && isText(body['message']) ? body['message'] : undefined;
  // A 4xx and a redirect have changed nothing. Any other unexpected response may have been applied.
  const mayBeApplied = earlier || status < 300 || status >= 500;
  const base = { message: message ?? `HTTP status ${status}`, status, requestId, mayBeApplied };
  if (status === 429 || status >= 500) {
    const retryAfterMs = readRetryAfter(headers.get('retry-after') ?? '');
    return {
      ok: false,
      error: { ...base, code: retryable.get(status) ?? 'unavailable', retryable: true, retryAfterMs },
    };
  }
  if (message !== undefined && status === 412 && etag !== null) {
    // After a lost attempt, the other request may be our own.
    const code = earlier ? 'outcome-unknown' : 'file-changed';
    return { ok: false, error: { ...base, code, retryable: false, etag } };
  }
  const code = message === undefined ? undefined : rejections.get(status === 404 ? message : status);
  return { ok: false, error: { ...base, code: code ?? 'unexpected-response', retryable: false } };
};
