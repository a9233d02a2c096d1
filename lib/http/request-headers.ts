import * as z from 'zod/mini';
import { ApiError, type ErrorCode } from '#lib/domain/errors.ts';
import type { Precondition } from '#lib/domain/file.ts';
import type { RequestContext } from '#lib/request-context.ts';
import type { RequestHeaders } from './event.ts';

/** The longest user or tenant id, in characters. */
export const MAX_ID_CHARACTERS = 128;
/** The longest API key, in characters. */
export const MAX_API_KEY_CHARACTERS = 512;
/** The most entity tags in If-Match. DynamoDB takes at most 100 operands of IN. */
export const MAX_ETAGS = 100;

const isBlank = (value: string) => !/[^\s\p{Cf}]/u.test(value);

/**
 * Printable ASCII without a comma. Clients encode other characters differently: fetch as Latin-1, curl as UTF-8. A comma
 * means that the header was sent twice.
 */
const printable = (maxLength: number) => z.string().check(z.regex(/^[ -+.-~-]+$/), z.maxLength(maxLength));
/** An API key, as a header can have it. */
export const ApiKeySchema = printable(MAX_API_KEY_CHARACTERS);
/** The id of a user or a tenant: compared exactly, never folded or trimmed, and without a space. */
export const CallerIdSchema = printable(MAX_ID_CHARACTERS).check(z.regex(/^[^ ]+$/));

const rejectId = (value: string | undefined, missing: ErrorCode, invalid: ErrorCode): never => {
  if (value === undefined || isBlank(value))
    throw new ApiError(missing, { reason: 'header is missing or blank' });
  throw new ApiError(invalid, { reason: 'header is malformed' });
};

/**
 * On whose behalf the request is made: the claims of x-user-id and x-tenant-id (docs/contract.md, Request).
 *
 * @param logFields get each id that is valid, even if the other one is not, so that the operator knows whom to tell
 * @throws {ApiError} user-id-missing or -invalid, then tenant-id-missing or -invalid
 */
export const readCallerIds = (
  headers: RequestHeaders,
  logFields: Pick<RequestContext['logFields'], 'userId' | 'tenantId'>,
): { userId: string; tenantId: string } => {
  const [userId, tenantId] = [headers.get('x-user-id'), headers.get('x-tenant-id')];
  logFields.userId = CallerIdSchema.safeParse(userId).data;
  logFields.tenantId = CallerIdSchema.safeParse(tenantId).data;
  return {
    userId: logFields.userId ?? rejectId(userId, 'user-id-missing', 'user-id-invalid'),
    tenantId: logFields.tenantId ?? rejectId(tenantId, 'tenant-id-missing', 'tenant-id-invalid'),
  };
};

const isOws = (character: string | undefined) => character === ' ' || character === '\t';

/** A value without the optional whitespace (OWS) around it: spaces and tabs (RFC 9110, 5.6.3). All else belongs to it. */
export const trimOws = (value: string): string => {
  let start = 0;
  let end = value.length;
  while (isOws(value[start])) start += 1;
  while (end > start && isOws(value[end - 1])) end -= 1;
  return value.slice(start, end);
};

/**
 * The key of x-api-key, if it can be a key at all.
 *
 * @throws {ApiError} api-key-invalid
 */
export const readApiKey = (headers: RequestHeaders): string => {
  const value = headers.get('x-api-key');
  if (!value) throw new ApiError('api-key-invalid', { reason: 'key is missing' });
  const apiKey = ApiKeySchema.safeParse(value);
  if (apiKey.success) return apiKey.data;
  throw new ApiError('api-key-invalid', { reason: 'key is malformed' });
};

/** The longest Idempotency-Key, in characters. */
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 128;
/** A string of RFC 9651, 3.3.3 (draft-ietf-httpapi-idempotency-key-header-07, 2.1). The schema checks its characters. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;
const IdempotencyKeySchema = printable(MAX_IDEMPOTENCY_KEY_CHARACTERS);

/**
 * The key of Idempotency-Key, with or without quotes; undefined if the header is absent.
 *
 * @throws {ApiError} idempotency-key-invalid
 */
export const readIdempotencyKey = (headers: RequestHeaders): string | undefined => {
  const header = headers.get('idempotency-key');
  if (header === undefined) return undefined;
  const value = trimOws(header);
  const key = value.startsWith('"') ? QUOTED.exec(value)?.[1]?.replace(/\\(.)/g, '$1') : value;
  const parsed = IdempotencyKeySchema.safeParse(key);
  if (parsed.success) return parsed.data;
  throw new ApiError('idempotency-key-invalid', { reason: 'header is malformed' });
};

/** The next member of a list, or its end; empty members are skipped (RFC 9110, 8.8.3 and 5.6.1). ASCII, like the ids. */
const NEXT_ETAG = /[\t ,]*(?:((?:W\/)?"[!#-~]*")[\t ]*(?:,|$)|$)/y;
/**
 * A version, with or without what a proxy that compresses our responses adds: `-gzip` (Apache), `--gzip` (Jetty), `;gzip`.
 * The state of the file is the same in each encoding (RFC 9110, 8.8.3.3).
 */
const OUR_ETAG = /^"(0|[1-9]\d{0,15})(?:(?:--?|;)(?:gzip|br|deflate|zstd))?"$/;

/** The entity tags of a list; none when the list cannot be read. */
const readEtags = (list: string): readonly string[] => {
  const etags: string[] = [];
  NEXT_ETAG.lastIndex = 0;
  while (NEXT_ETAG.lastIndex < list.length && etags.length <= MAX_ETAGS) {
    const next = NEXT_ETAG.exec(list);
    if (!next) return [];
    if (next[1]) etags.push(next[1]);
  }
  return etags;
};

/**
 * What If-Match requires of the file (RFC 9110, 13.1.1): nothing when it is absent or `*`, else one of the listed
 * versions. A weak etag, and one that this service did not make, matches no version.
 *
 * @throws {ApiError} if-match-invalid
 */
export const readIfMatch = (headers: RequestHeaders): Precondition => {
  const value = headers.get('if-match');
  if (value === undefined || trimOws(value) === '*') return undefined;
  const etags = readEtags(value);
  if (etags.length === 0 || etags.length > MAX_ETAGS)
    throw new ApiError('if-match-invalid', { reason: 'header is malformed' });
  return etags.map((etag) => Number(OUR_ETAG.exec(etag)?.[1] ?? Number.NaN)).filter(Number.isSafeInteger);
};
