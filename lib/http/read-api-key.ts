import * as z from 'zod/mini';
import { Failure } from '#lib/domain/failure.ts';
import type { RequestHeaders } from './headers.ts';

export const MAX_API_KEY_CHARACTERS = 512;

/** Printable ASCII without a comma: one means the header was sent twice. */
const ApiKeySchema = z
  .string()
  .check(z.regex(new RegExp(`^[\\x20-\\x2b\\x2d-\\x7e]{1,${MAX_API_KEY_CHARACTERS}}$`)));

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
