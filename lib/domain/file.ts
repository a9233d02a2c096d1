import * as z from 'zod/mini';
import { InternalError, parseRecord } from './errors.ts';

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

/**
 * What marks the writes of a request. `id` is the same for a request and its repetitions. The other two tell requests
 * with one Idempotency-Key apart, and are empty without it: what was sent, and by which invocation.
 */
export type RequestToken = { readonly id: string; readonly payloadHash: string; readonly invocation: string };

/** A write that a file remembers. An entry that this service did not make has an id at most. */
type RecentWrite = Partial<RequestToken> & { readonly id: string; readonly version?: number };

/** The attributes that hold the last eight writes of this operation, the latest first. Names take space in each item. */
export const RECENT_WRITE_ATTRIBUTES = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8'] as const;

/** What an attribute holds of a write. The id comes first and ends with a dot; the version is in base 36. */
export const formatRecentWrite = ({ id, payloadHash, invocation }: RequestToken, version: number): string =>
  `${id}.${payloadHash}.${version.toString(36)}.${invocation}`;

const ENTRY = /^([^.]+)\.(?:([^.]*)\.([\da-z]{1,11})\.([^.]*)$)?/;

/** The writes that a record remembers, the latest first. */
const readRecentWrites = (record: Readonly<Record<string, unknown>>): readonly RecentWrite[] =>
  RECENT_WRITE_ATTRIBUTES.flatMap((attribute) => {
    const entry = record[attribute];
    const [, id, payloadHash, version, invocation] = (typeof entry === 'string' && ENTRY.exec(entry)) || [];
    if (id === undefined) return [];
    if (payloadHash === undefined || version === undefined || invocation === undefined) return [{ id }];
    return [{ id, payloadHash, invocation, version: Number.parseInt(version, 36) }];
  });

/** Which file a record is, and which writes left it as it is. */
const FileMetadataSchema = z.looseObject({
  spaceId: z.string(),
  fileId: z.string(),
  /** Set by every write, in microseconds (lib/store/update-file.ts); 0 if no write has set it. */
  version: z._default(z.int().check(z.nonnegative()), 0),
});

/**
 * Which file a record is, its version, and the last writes of this operation.
 *
 * @throws {InternalError} when the metadata does not fit
 */
export const toFileMetadata = (record: unknown) => {
  const { spaceId, fileId, version, ...attributes } = parseRecord(FileMetadataSchema, 'file record', record);
  return { spaceId, fileId, version, recentWrites: readRecentWrites(attributes) };
};

/**
 * The view of a stored file: the detailed shape when the record holds originalName, chunksCount and
 * charactersCount, the basic shape when it holds none of them.
 *
 * @throws {InternalError} naming the attribute when the record fits neither shape
 */
export const toFileView = (record: unknown): FileView => {
  const { fileId: id, ...file } = parseRecord(FileRecordSchema, 'file record', record);
  const { originalName, chunksCount, charactersCount } = file;
  const missing = Object.entries({ originalName, chunksCount, charactersCount })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
  if (missing.length === 0 || missing.length === 3) return { id, ...file };
  throw new InternalError(`file record does not fit: ${missing.join(', ')} missing from the detailed shape`);
};

/** What the client requires of the stored version: the parsed If-Match. */
export type Precondition =
  | { readonly kind: 'none' }
  | { readonly kind: 'versions'; readonly versions: readonly number[] }
  | { readonly kind: 'unreadable' };

/** Whether the stored version is one the client asked for. An unreadable precondition matches nothing. */
export const matches = (precondition: Precondition, version: number): boolean =>
  precondition.kind === 'none' ||
  (precondition.kind === 'versions' && precondition.versions.includes(version));
