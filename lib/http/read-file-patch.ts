import { ApiError } from '#lib/domain/errors.ts';
import { type FilePatch, toFilePatch } from '#lib/domain/file-patch.ts';
import type { ApiRequest, RequestHeaders } from './event.ts';
import { trimOws } from './request-headers.ts';

/** JSON, and the media type RFC 7396 gives to a JSON patch in which null removes. */
export const acceptedMediaTypes: readonly string[] = ['application/json', 'application/merge-patch+json'];
/** Far above any real Content-Type. */
export const MAX_CONTENT_TYPE_CHARACTERS = 256;
/** 128 KiB, in bytes after base64 decoding: room for all fields at their limits with every character escaped. */
export const MAX_BODY_BYTES = 128 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A parameter: its name, which is a token, and a value with or without quotes (RFC 9110, 5.6.2 and 5.6.6). */
const PARAMETER = /;[\t ]*([\w!#$%&'*+.^`|~-]*)(?:=("(?:[^"\\]|\\.)*"|[^;,]*))?/g;
const UTF_8 = /^("?)utf-8\1$/;

/**
 * Two charsets are rejected even if they are equal: some readers take the first, others the last. What belongs to no
 * parameter must be the type alone: a comma outside quotes means that the header was sent twice.
 */
const isJson = (contentType: string): boolean => {
  if (contentType.length > MAX_CONTENT_TYPE_CHARACTERS) return false;
  const lowerCase = contentType.toLowerCase();
  const type = trimOws(lowerCase.replaceAll(PARAMETER, ''));
  const charsets = [...lowerCase.matchAll(PARAMETER)].filter(([, name]) => name === 'charset');
  const areUtf8 = charsets.every(([, , value = '']) => UTF_8.test(trimOws(value)));
  return acceptedMediaTypes.includes(type) && areUtf8 && charsets.length <= 1;
};

const expectJson = (headers: RequestHeaders): void => {
  if (!isJson(headers.get('content-type') ?? ''))
    throw new ApiError('content-type-unsupported', { reason: 'Content-Type is not JSON in UTF-8' });
  const encoding = trimOws(headers.get('content-encoding') ?? '').toLowerCase();
  if (encoding !== '' && encoding !== 'identity')
    throw new ApiError('content-encoding-unsupported', { reason: 'body is encoded' });
};

const decodeBase64 = (base64: string): string => {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64)
    throw new ApiError('body-not-json', { reason: 'body is not base64' });
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ApiError('body-not-json', { reason: 'body is not UTF-8', cause });
  }
};

const readBody = ({ body, isBase64Encoded }: ApiRequest): string => {
  if (body === '') throw new ApiError('body-missing', { reason: 'no body' });
  const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes > MAX_BODY_BYTES) throw new ApiError('body-too-large', { reason: `body of ${bytes} bytes` });
  const text = isBase64Encoded ? decodeBase64(body) : body;
  if (text.startsWith('\ufeff'))
    throw new ApiError('body-not-json', { reason: 'body begins with a byte order mark' });
  return text;
};

/**
 * The partial update that the body asks for.
 *
 * @throws {ApiError} content-type-unsupported, content-encoding-unsupported, body-too-large, body-missing, body-not-json,
 * body-not-object, patch-empty, patch-invalid: the first that applies
 */
export const readFilePatch = (request: ApiRequest): FilePatch => {
  expectJson(request.headers);
  return toFilePatch(readBody(request));
};
