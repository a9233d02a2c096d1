import type * as z from 'zod/mini';
import { Fault } from './fault.ts';

/** Like parseRecord, but undefined when there is no record. */
export const parseIfFound = <Schema extends z.ZodMiniType>(
  schema: Schema,
  noun: string,
  record: unknown,
): z.infer<Schema> | undefined => (record === undefined ? undefined : parseRecord(schema, noun, record));

/**
 * Parses a stored record. What it does not name is dropped, so nothing unknown can leave.
 *
 * @param noun what the record is, for the log: "file record"
 * @throws {Fault} naming each attribute that does not fit, and no value
 */
export const parseRecord = <Schema extends z.ZodMiniType>(
  schema: Schema,
  noun: string,
  record: unknown,
): z.infer<Schema> => {
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'record'}: ${issue.code}`);
  throw new Fault(`${noun} does not fit: ${problems.join(', ')}`);
};
