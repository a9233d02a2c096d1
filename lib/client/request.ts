type Text = string | null;

/** What changes: a string is set, null clears, an absent field is kept. At least one field stands in it. */
export type FilePatch = { summary: Text; documentKind?: Text } | { summary?: Text; documentKind: Text };

/** One update of one file. */
export type FileUpdate = {
  readonly spaceId: string;
  readonly fileId: string;
  readonly patch: FilePatch;
  /** The etag of an earlier answer: write only if the file is still as it was then. */
  readonly ifMatch?: string;
  /** Ends the request, its repetitions and the waits between them. */
  readonly signal?: AbortSignal | undefined;
};

/** Who asks: three headers of every request. */
export type CallerHeaders = { readonly apiKey: string; readonly tenantId: string; readonly userId: string };

const headersOf = ({ apiKey, tenantId, userId }: CallerHeaders, { ifMatch }: FileUpdate) => ({
  'x-api-key': apiKey,
  'x-tenant-id': tenantId,
  'x-user-id': userId,
  ...(ifMatch !== undefined && { 'if-match': ifMatch }),
});

/** What every HTTP hop carries unchanged (RFC 9110, 5.5); fetch would trim the ends, and so name somebody else. */
const fitsHeader = (value: unknown) => typeof value === 'string' && /^[!-~]([ -~]*[!-~])?$/.test(value);

/** URLs have no dot segments, however they are encoded: `.` and `..` would name another path. */
const fitsPath = (id: unknown) =>
  typeof id === 'string' && !['', '.', '..'].includes(id) && !/\p{Cs}/u.test(id);

/** Why the update cannot be sent as it is meant, in a sentence that names no value; undefined when it can. */
export const refusalOf = (caller: CallerHeaders, update: FileUpdate): string | undefined => {
  const { spaceId, fileId, patch } = update;
  const id = Object.entries({ spaceId, fileId }).find(([, value]) => !fitsPath(value));
  if (id) return `${id[0]} cannot stand in a URL`;
  const header = Object.entries(headersOf(caller, update)).find(([, value]) => !fitsHeader(value));
  if (header) return `${header[0]} must be printable ASCII, without spaces around it`;
  // JSON would leave it out without a word: kept, where the caller may have meant cleared.
  const field = Object.entries(patch).find(([, value]) => value === undefined);
  return field && `${field[0]} is undefined: leave it out to keep it, or send null to clear it`;
};

/** The path of the file, each id percent-encoded, and what fetch needs besides a signal. */
export const toRequest = (caller: CallerHeaders, update: FileUpdate) => {
  const [spaceId, fileId] = [update.spaceId, update.fileId].map(encodeURIComponent);
  const init: RequestInit = {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...headersOf(caller, update) },
    body: JSON.stringify(update.patch),
    // Followed, a redirect would hand the API key to whatever host it names.
    redirect: 'manual',
  };
  return { path: `/v1/spaces/${spaceId}/files/${fileId}`, init };
};
