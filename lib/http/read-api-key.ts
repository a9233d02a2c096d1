import * as z from 'zod/mini';
import { Failure } from '#lib/domain/failure.ts';
import type { RequestHeaders } from './headers.ts';

/** Printable ASCII, at most 512 characters, no comma: one means the header was sent twice. */
const ApiKeySchema = z.string().check(z.regex(/^[\x20-\x2b\x2d-\x7e]{1,512}$/));

/**
 * The key of x-api-key, if it could be one at all.
 *
 * @throws {Failure} api-key-invalid
 */
export const readApiKey = (headers: RequestHeaders): string => {
  const value = headers.get('x-api-key');
  if (!value) throw new Failure('api-key-invalid', { reason: 'key is missing' });
  const apiKey = ApiKeySchema.safeParse(value);
  if (apiKey.success) return apiKey.data;
  throw new Failure('api-key-invalid', { reason: 'key is malformed' });
};
