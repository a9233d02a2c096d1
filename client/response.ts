import { isFileView, isObject, isText } from './file-view.ts';
import { rejectionCodes, type UpdateResult } from './result.ts';

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

/** Codes by status; of other 5xx, `unavailable`. Gateways send these statuses too, without a code. */
const retryable: ReadonlyMap<number, 'throttled' | 'internal-error'> = new Map([
  [429, 'throttled'],
  [500, 'internal-error'],
]);

/**
 * Whether a request with this status may have been applied. A 4xx never takes effect (docs/contract.md, Semantics),
 * and a redirect is not followed. A proxy sends 408 when it has waited long enough.
 */
const isOutcomeUnknown = (status: number) => status < 300 || status >= 500 || status === 408;

/**
 * The result that a response means (docs/contract.md, Responses), by its status and its header `x-error-code`. A
 * response of another form, or with another file, is `unexpected-response`. Rejects when the body is cut off.
 *
 * @param earlier whether an earlier attempt may have been applied
 */
export const readResponse = async (
  response: Response,
  { fileId, earlier }: { fileId: string; earlier: boolean },
): Promise<UpdateResult> => {
  const { status, headers } = response;
  const body = parse(await response.text());
  const etag = headers.get('etag');
  const requestId = headers.get('x-request-id') ?? undefined;
  const replayed = headers.get('idempotency-replayed') === 'true';
  if (status === 200 && isFileView(body) && body.id === fileId && etag !== null)
    return { ok: true, file: body, etag, replayed, requestId };

  const message = isObject(body) && isText(body['message']) ? body['message'] : `HTTP status ${status}`;
  const base = { message, status, requestId, mayBeApplied: earlier || isOutcomeUnknown(status) };
  if (status === 429 || status >= 500) {
    const code = retryable.get(status) ?? 'unavailable';
    const retryAfterMs = readRetryAfter(headers.get('retry-after') ?? '');
    return { ok: false, error: { ...base, code, retryable: true, retryAfterMs } };
  }
  const errorCode = headers.get('x-error-code');
  if (errorCode === 'file-changed' && etag !== null)
    return { ok: false, error: { ...base, code: errorCode, retryable: false, etag } };
  const code = rejectionCodes.find((known) => known === errorCode) ?? 'unexpected-response';
  return { ok: false, error: { ...base, code, retryable: false } };
};
