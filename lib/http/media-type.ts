import { MIMEType } from 'node:util';
import { Failure } from '#lib/domain/failure.ts';
import type { RequestHeaders } from './headers.ts';

/** JSON, and the media type RFC 7396 gives to a JSON patch in which null removes. */
export const acceptedMediaTypes: readonly string[] = ['application/json', 'application/merge-patch+json'];

/** Far above any real Content-Type. MIMEType takes quadratic time over white space: it gets no more than this. */
export const MAX_CONTENT_TYPE_CHARACTERS = 256;

const parse = (contentType: string) => {
  if (contentType.length > MAX_CONTENT_TYPE_CHARACTERS) return undefined;
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
};

const isJson = (contentType: string): boolean => {
  const type = parse(contentType);
  const charset = type?.params.get('charset') ?? 'utf-8';
  return type !== undefined && acceptedMediaTypes.includes(type.essence) && charset.toLowerCase() === 'utf-8';
};

/**
 * Refuses a body that is not JSON in plain UTF-8.
 *
 * @throws {Failure} content-type-unsupported, content-encoding-unsupported
 */
export const expectJson = (headers: RequestHeaders): void => {
  const contentType = headers.get('content-type') ?? '';
  // As nearly everybody writes it: nothing to parse.
  if (!acceptedMediaTypes.includes(contentType) && !isJson(contentType))
    throw new Failure('content-type-unsupported', { reason: 'Content-Type is not JSON in UTF-8' });
  const encoding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity')
    throw new Failure('content-encoding-unsupported', { reason: 'body is encoded' });
};
