import { hash } from 'node:crypto';
import type { FileUpdate } from '#lib/domain/file-patch.ts';

/** How many writes a file remembers (docs/tables.md, Recent writes). */
export const RECENT_WRITES = 8;

/** The bytes that other services keep free in a file, for all that updates add to it: these writes too. */
export const MIN_FREE_BYTES = 512;

/** The attributes in which a file remembers its recent writes, the latest first. Names take space in each item. */
export const RECENT_WRITE_ATTRIBUTES = Array.from(
  { length: RECENT_WRITES },
  (_, index): `w${number}` => `w${index + 1}`,
);

/**
 * What a request leaves on the file. `id` is the same for a request and its repetitions. `payloadHash` tells two patches
 * with one Idempotency-Key apart, and is empty without a key.
 */
export type RequestMark = { readonly id: string; readonly payloadHash: string };

/** 66 bits of a hash. */
const shortHash = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 11);

/**
 * The mark of a request. With an Idempotency-Key, the id is a hash of key, tenant and user, so that a repeated request
 * has the same id; the key itself is not stored. Without a key, the id is the first half of the id of this request, a
 * UUID. It is short because a file keeps several of them.
 */
export const toRequestMark = (
  { tenantId, userId, idempotencyKey, patch }: FileUpdate,
  requestId: string,
): RequestMark =>
  idempotencyKey === undefined
    ? { id: requestId.replaceAll('-', '').slice(0, 16), payloadHash: '' }
    : {
        id: shortHash([tenantId, userId, idempotencyKey]),
        payloadHash: shortHash(Object.entries(patch).toSorted()),
      };

/** A write that a file remembers. An entry that this service did not make has an id at most. */
type RecentWrite = Partial<RequestMark> & { readonly id: string; readonly version?: number };

const ENTRY = /^([^.]+)\.(?:([^.]*)\.([\da-z]{1,11})$)?/;

/** What an attribute holds of a write. The id comes first and ends with a dot; the version is in base 36. */
export const formatRecentWrite = ({ id, payloadHash }: RequestMark, version: number): string =>
  `${id}.${payloadHash}.${version.toString(36)}`;

/** The writes that a stored file remembers, the latest first. An entry without an id is skipped. */
export const readRecentWrites = (item: Readonly<Record<string, unknown>>): readonly RecentWrite[] =>
  RECENT_WRITE_ATTRIBUTES.flatMap((attribute) => {
    const entry = item[attribute];
    const parts = typeof entry === 'string' && ENTRY.exec(entry);
    if (!parts) return [];
    const [, id = '', payloadHash = '', version] = parts;
    return [version === undefined ? { id } : { id, payloadHash, version: Number.parseInt(version, 36) }];
  });

/** The condition that the file remembers no write of the request. */
export const isNewRequest = `NOT (${RECENT_WRITE_ATTRIBUTES.map((name) => `begins_with(${name}, :id)`).join(' OR ')})`;

/** Moves each write one place down, and puts one first. Every right side reads the item as it was before. */
export const setRecentWrites: readonly string[] = [
  ...RECENT_WRITE_ATTRIBUTES.slice(1).map(
    (name, index) => `${name} = if_not_exists(${RECENT_WRITE_ATTRIBUTES[index]}, :none)`,
  ),
  `${RECENT_WRITE_ATTRIBUTES[0]} = :write`,
];

/** The values of the two expressions above. */
export const recentWriteValues = (mark: RequestMark, version: number) => ({
  ':none': '',
  ':id': `${mark.id}.`,
  ':write': formatRecentWrite(mark, version),
});

/**
 * Whether a write with this version could have been applied although the file does not remember it: as many others as it
 * remembers, or a deletion, may have followed. If the file still lists an older write, this one would be listed too.
 *
 * @param recentWrites what the stored file remembers; nothing if there is no file
 */
export const mayBeForgotten = (recentWrites: readonly RecentWrite[], version: number): boolean =>
  !recentWrites.some((write) => write.version !== undefined && write.version < version);
