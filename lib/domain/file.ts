import * as z from 'zod/mini';
import { Fault } from './fault.ts';
import { parseRecord } from './record.ts';

const TagSchema = z.object({ key: z.string(), value: z.string(), aiExtracted: z.boolean() });

/** What a client sees of a file, and nothing else (spec, section 2). */
export const FileViewSchema = z.object({
  id: z.string(),
  originalName: z.exactOptional(z.string()),
  summary: z.nullable(z.string()),
  language: z.string(),
  documentKind: z.nullable(z.string()),
  domain: z.string(),
  chunksCount: z.exactOptional(z.int()),
  charactersCount: z.exactOptional(z.int()),
  tags: z.array(TagSchema),
});
export type FileView = z.infer<typeof FileViewSchema>;

/** The stored attributes behind the view. What was never stored, or removed, is null or empty. */
const FileRecordSchema = z.extend(z.omit(FileViewSchema, { id: true }), {
  fileId: FileViewSchema.shape.id,
  summary: z._default(FileViewSchema.shape.summary, null),
  documentKind: z._default(FileViewSchema.shape.documentKind, null),
  tags: z._default(FileViewSchema.shape.tags, []),
});

/** The bookkeeping of a stored file: where it is, and which write left it as it is. */
const FileStampSchema = z.object({
  spaceId: z.string(),
  fileId: z.string(),
  /** Clock reading of the last write (lib/store/version.ts); 0 until the first. */
  version: z._default(z.int().check(z.nonnegative()), 0),
  requestId: z.exactOptional(z.string()),
});
export type FileStamp = z.infer<typeof FileStampSchema>;

/** @throws {Fault} when the bookkeeping does not fit */
export const toFileStamp = (record: unknown): FileStamp =>
  parseRecord(FileStampSchema, 'file record', record);

/**
 * The view of a stored file: the detailed shape when the record holds originalName, chunksCount and
 * charactersCount, the basic shape when it holds none of them.
 *
 * @throws {Fault} naming the attribute when the record fits neither shape
 */
export const toFileView = (record: unknown): FileView => {
  const file = parseRecord(FileRecordSchema, 'file record', record);
  const { fileId: id, summary, language, documentKind, domain, tags } = file;
  const { originalName, chunksCount, charactersCount } = file;
  if (originalName !== undefined && chunksCount !== undefined && charactersCount !== undefined)
    return { id, originalName, summary, language, documentKind, domain, chunksCount, charactersCount, tags };
  const missing = Object.entries({ originalName, chunksCount, charactersCount })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  if (missing.length === 3) return { id, summary, language, documentKind, domain, tags };
  throw new Fault(`file record does not fit: ${missing.join(', ')} missing from the detailed shape`);
};
