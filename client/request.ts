type Text = string | null;

/** A string is set, `null` clears, an absent field keeps its value. At least one field must be present. */
export type FilePatch = { summary: Text; documentKind?: Text } | { summary?: Text; documentKind: Text };

/** One update of one file. */
export type FileUpdate = {
  readonly spaceId: string;
  readonly fileId: string;
  readonly patch: FilePatch;
  /** The etag of an earlier response: update the file only if nobody has changed it since. */
  readonly ifMatch?: string;
  /** Aborts the request, its retries and the waits between them. */
  readonly signal?: AbortSignal | undefined;
};

/** The caller: three headers of every request. */
export type CallerHeaders = { readonly apiKey: string; readonly tenantId: string; readonly userId: string };

const headersOf = ({ apiKey, tenantId, userId }: CallerHeaders, { ifMatch }: FileUpdate) => ({
  'x-api-key': apiKey,
  'x-tenant-id': tenantId,
  'x-user-id': userId,
  ...(ifMatch !== undefined && { 'if-match': ifMatch }),
});

/** A value that arrives unchanged (RFC 9110, 5.5). fetch would trim the ends, and so name another caller. */
const fitsHeader = (value: unknown) => typeof value === 'string' && /^[!-~]([ -~]*[!-~])?$/.test(value);

/** `.` and `..` would name another path, even when they are encoded. */
const fitsPath = (id: unknown) =>
  typeof id === 'string' && !['', '.', '..'].includes(id) && !/\p{Cs}/u.test(id);

/** Why the update cannot be sent, in a sentence without values; undefined if it can. */
export const problemOf = (caller: CallerHeaders, update: FileUpdate): string | undefined => {
  const { spaceId, fileId, patch } = update;
  const id = Object.entries({ spaceId, fileId }).find(([, value]) => !fitsPath(value));
  if (id) return `${id[0]} cannot be part of a URL`;
  const header = Object.entries(headersOf(caller, update)).find(([, value]) => !fitsHeader(value));
  if (header) return `${header[0]} must be printable ASCII, without spaces around it`;
  // JSON omits undefined, so the field would keep its value. The caller may have meant to clear it.
  const field = Object.entries(patch).find(([, value]) => value === undefined);
  return field && `${field[0]} is undefined: omit it to keep its value, or send null to clear it`;
};

/** The path with percent-encoded ids, and the options of fetch without a signal. */
export const toRequest = (caller: CallerHeaders, update: FileUpdate) => {
  const [spaceId, fileId] = [update.spaceId, update.fileId].map(encodeURIComponent);
  const init: RequestInit = {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...headersOf(caller, update) },
    body: JSON.stringify(update.patch),
    // A redirect that is followed would send the API key to another host.
    redirect: 'manual',
  };
  return { path: `/v1/spaces/${spaceId}/files/${fileId}`, init };
};
