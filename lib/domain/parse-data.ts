import type * as z from 'zod/mini';
import { InternalError } from './errors.ts';

/** A property of data of any type. Undefined if there is none, or if the data is not an object. */
export const propertyOf = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;

/**
 * Parses data from outside: a stored record, or an event. What the schema does not name is dropped, so it can never
 * leave the service.
 *
 * @param subject what the data is, for the log
 * @param idName the attribute by which an operator finds the record, if it is a string
 * @throws {InternalError} naming each part that does not fit, and no value
 */
export const parseData = <Schema extends z.ZodMiniType>(
  schema: Schema,
  subject: 'API key record' | 'file record' | 'space record' | 'wrong trigger: event',
  data: unknown,
  idName?: string,
): z.infer<Schema> => {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.code}`);
  const id = idName && propertyOf(data, idName);
  const ids = typeof id === 'string' ? { [String(idName)]: id } : {};
  throw new InternalError(`${subject} does not fit: ${problems.join(', ')}`, ids);
};
