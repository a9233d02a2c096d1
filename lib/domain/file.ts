import * as z from 'zod/mini';
import { InternalError } from './errors.ts';
import { parseData } from './parse-data.ts';

const TagSchema = z.object({ key: z.string(), value: z.string(), aiExtracted: z.boolean() });

const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => z._default(z.nullable(schema), null);

/** What a client sees of a file, in this order, and nothing else. What was never stored, or removed, is null or empty. */
export const FileViewSchema = z.object({
  id: z.string(),
  originalName: z.exactOptional(z.string()),
  summary: orNull(z.string()),
  language: z.string(),
  documentKind: orNull(z.string()),
  domain: z.string(),
  chunksCount: z.exactOptional(z.int()),
  charactersCount: z.exactOptional(z.int()),
  tags: z._default(z.array(TagSchema), []),
});
export type FileView = z.output<typeof FileViewSchema>;

/** The stored attributes behind the view. */
export const FileRecordSchema = z.extend(z.omit(FileViewSchema, { id: true }), {
  fileId: FileViewSchema.shape.id,
});

/** Which file a record is, and in which version. */
export const FileIdentitySchema = z.object({
  spaceId: z.string(),
  fileId: z.string(),
  /** Set by every write, in microseconds (lib/store/update-file.ts); 0 if no write has set it. */
  version: z._default(z.int().check(z.nonnegative()), 0),
});

/**
 * NULL does not count as absent here, because the condition of a write compares it, and rejects each write.
 *
 * @throws {InternalError} naming each attribute that does not fit
 */
export const toFileIdentity = (record: unknown) => parseData(FileIdentitySchema, 'file record', record);

/**
 * The attributes of a record that have a value. SDKs of several languages store NULL for what has none, for example for a
 * nil slice of Go or a None of Python.
 */
const withoutNulls = (record: unknown): object =>
  Object.fromEntries(Object.entries(Object(record)).filter(([, value]) => value !== null));

/**
 * The view of a stored file: the detailed shape when the record holds originalName, chunksCount and
 * charactersCount, the basic shape when it holds none of them. NULL counts as absent.
 *
 * @throws {InternalError} naming the attribute when the record fits neither shape
 */
export const toFileView = (record: unknown): FileView => {
  const { fileId: id, ...file } = parseData(FileRecordSchema, 'file record', withoutNulls(record));
  const { originalName, chunksCount, charactersCount } = file;
  const missing = Object.entries({ originalName, chunksCount, charactersCount })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  if (missing.length === 0 || missing.length === 3) return { id, ...file };
  throw new InternalError(`file record does not fit: ${missing.join(', ')} missing from the detailed shape`);
};

/** A file after an update. */
export type UpdatedFile = {
  readonly file: FileView;
  readonly version: number;
  /** An earlier attempt was applied. The file is as it stands now. */
  readonly replayed: boolean;
};

/** The versions that the client accepts, from If-Match. Undefined: any. */
export type Precondition = readonly number[] | undefined;
