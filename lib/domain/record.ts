import type * as z from 'zod/mini';
import { InternalError } from './errors.ts';

/**
 * Parses a stored record. Attributes that the schema does not name are dropped, so they can never leave the service.
 *
 * @param noun what the record is, for the log: "file record"
 * @param idName the attribute by which an operator finds the record, if it is a string
 * @throws {InternalError} naming each attribute that does not fit, and no value
 */
export const parseRecord = <Schema extends z.ZodMiniType>(
  schema: Schema,
  noun: string,
  record: unknown,
  idName?: string,
): z.infer<Schema> => {
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.code}`);
  const id: unknown = idName && Object(record)[idName];
  const ids = typeof id === 'string' ? { [String(idName)]: id } : {};
  throw new InternalError(`${noun} does not fit: ${problems.join(', ')}`, ids);
};
