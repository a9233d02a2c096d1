import * as z from 'zod/mini';

/** Which request made a write, and a fingerprint of what it sent; empty for a request without an Idempotency-Key. */
export type RequestKey = { readonly id: string; readonly fingerprint: string };
type RecentWrite = RequestKey & { readonly version: number };

/** The attributes of a file that hold the last four writes of this operation, the latest first. */
export const WRITE_ATTRIBUTES = ['write1', 'write2', 'write3', 'write4'] as const;

/** What an attribute holds of a write. An id never contains a dot. */
export const formatWrite = ({ id, fingerprint, version }: RecentWrite): string =>
  `${id}.${fingerprint}.${version}`;
/** What the attribute of a write begins with if a request with this id made it. */
export const writePrefix = ({ id }: RequestKey): string => `${id}.`;

const text = z._default(z.string(), '');
export const recentWritesShape = { write1: text, write2: text, write3: text, write4: text };

/** The writes that a record remembers, the latest first. An attribute of another form ends the list. */
export const readRecentWrites = (
  record: Readonly<Record<(typeof WRITE_ATTRIBUTES)[number], string>>,
): readonly RecentWrite[] => {
  const writes: RecentWrite[] = [];
  for (const attribute of WRITE_ATTRIBUTES) {
    const [, id, fingerprint, version] = /^([^.]+)\.([^.]*)\.(\d{1,16})$/.exec(record[attribute]) ?? [];
    if (id === undefined || fingerprint === undefined) break;
    writes.push({ id, fingerprint, version: Number(version) });
  }
  return writes;
};
