import * as z from 'zod/mini';
import { Failure, type FailureCode } from '#lib/domain/failure.ts';
import type { RequestHeaders } from './headers.ts';

export const MAX_ID_CHARACTERS = 128;

const isBlank = (value: string) => !/[^\s\p{Cf}]/u.test(value);

/** An opaque id: compared exactly, never folded or trimmed. A comma means the header was sent twice. */
const IdSchema = z.string().check(
  z.refine(
    // The length first: an id of megabytes is not worth a look at each character.
    (id) =>
      id !== '' &&
      id.length <= 2 * MAX_ID_CHARACTERS &&
      [...id].length <= MAX_ID_CHARACTERS &&
      !/[,\s\p{Cc}\p{Cf}\p{Cs}]/u.test(id),
  ),
);

const readId = (value: string | undefined, missing: FailureCode, invalid: FailureCode): string => {
  const id = IdSchema.safeParse(value);
  if (id.success) return id.data;
  if (value === undefined || isBlank(value))
    throw new Failure(missing, { reason: 'header is missing or blank' });
  throw new Failure(invalid, { reason: 'header is malformed' });
};

/**
 * On whose behalf the request is made: the claims of x-user-id and x-tenant-id.
 *
 * @throws {Failure} user-id-missing or -invalid, then tenant-id-missing or -invalid
 */
export const readCallerIds = (headers: RequestHeaders): { userId: string; tenantId: string } => ({
  userId: readId(headers.get('x-user-id'), 'user-id-missing', 'user-id-invalid'),
  tenantId: readId(headers.get('x-tenant-id'), 'tenant-id-missing', 'tenant-id-invalid'),
});
