/** A key as stored, as far as access depends on it. Like every peer's records it is taken as it comes. */
export type ApiKeyRecord = {
  readonly tenantId: string;
  readonly scope: string;
  readonly roles: readonly string[];
  readonly expiresAt?: number | undefined;
  readonly revokedAt?: unknown;
};

/** A space as stored. */
export type SpaceRecord = { readonly ownerId?: unknown; readonly visibility?: unknown };

/** A tag of a file. */
export type Tag = { key: string; value: string; aiExtracted: boolean };

/** A file as stored. */
export type FileRecord = {
  readonly fileId: string;
  readonly originalName?: string | undefined;
  readonly summary?: string | undefined;
  readonly language: string;
  readonly documentKind?: string | undefined;
  readonly domain: string;
  readonly chunksCount?: number | undefined;
  readonly charactersCount?: number | undefined;
  readonly tags?: Tag[] | undefined;
};

/** The fields to change: a string sets, null removes, what is absent is kept. */
export type FilePatch = {
  readonly summary?: string | null | undefined;
  readonly documentKind?: string | null | undefined;
};
