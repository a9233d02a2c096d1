import type { FilePatch, FileRecord } from './records.ts';
import type { Refusal } from './refusal.ts';

/** Who wants to enter which space, as the headers and the path say. */
export type Visit = {
  readonly apiKey: string | undefined;
  readonly tenantId: string | undefined;
  readonly userId: string | undefined;
  readonly spaceId: string;
};

export type FileUpdate = { readonly spaceId: string; readonly fileId: string; readonly patch: FilePatch };

/** What every peer needs of DynamoDB. */
export type Store = {
  /** Why the visit is refused; undefined when it is not. */
  readonly admit: (visit: Visit) => Promise<Refusal | undefined>;
  /** The file as the write left it; undefined when there is no such file. */
  readonly updateFile: (update: FileUpdate) => Promise<FileRecord | undefined>;
};
