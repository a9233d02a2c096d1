import { Failure } from '#lib/domain/failure.ts';
import type { EventRequest } from './event.ts';

/** 128 KiB, in bytes after base64 decoding: room for both fields at their limits, escaped to the last character. */
export const MAX_BODY_BYTES = 128 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const notJson = (reason: string, cause?: unknown) => new Failure('body-not-json', { reason, cause });

const decode = (base64: string): string => {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw notJson('body is not base64');
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw notJson('body is not UTF-8', cause);
  }
};

/**
 * The text of the body.
 *
 * @throws {Failure} body-too-large, body-missing, body-not-json
 */
export const readBody = ({ body, isBase64Encoded }: EventRequest): string => {
  if (body === '') throw new Failure('body-missing', { reason: 'no body' });
  const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes > MAX_BODY_BYTES) throw new Failure('body-too-large', { reason: `body of ${bytes} bytes` });
  return isBase64Encoded ? decode(body) : body;
};
