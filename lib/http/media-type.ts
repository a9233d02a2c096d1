import { MIMEType } from 'node:util';
import { Failure } from '#lib/domain/failure.ts';
import type { RequestHeaders } from './headers.ts';

/** JSON, and the media type RFC 7396 gives to a JSON patch in which null removes. */
export const acceptedMediaTypes: readonly string[] = ['application/json', 'application/merge-patch+json'];

/** Far above any real Content-Type. MIMEType takes quadratic time over white space: it gets no more than this. */
const MAX_CHARACTERS = 256;

const parse = (contentType: string) => {
  if (contentType.length > MAX_CHARACTERS) return undefined;
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
};

/**
 * Refuses a body that is not JSON in plain UTF-8.
 *
 * @throws {Failure} content-type-unsupported, content-encoding-unsupported
 */
export const expectJson = (headers: RequestHeaders): void => {
  const type = parse(headers.get('content-type') ?? '');
  const charset = type?.params.get('charset') ?? 'utf-8';
  if (!type || !acceptedMediaTypes.includes(type.essence) || charset.toLowerCase() !== 'utf-8')
    throw new Failure('content-type-unsupported', { reason: 'Content-Type is not JSON in UTF-8' });
  const encoding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity')
    throw new Failure('content-encoding-unsupported', { reason: 'body is encoded' });
};
