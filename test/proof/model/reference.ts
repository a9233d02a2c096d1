import { type Item, sha256 } from '#test/proof/access/engines/backend.ts';
import type { Header, ModelRequest, Patch, Refusal } from './request.ts';
import { find, type State } from './state.ts';

/*
 * The operation as specified, over plain objects. Written from the specification and docs/contract.md; it shares no
 * line with the code.
 */

const noPermission: Refusal = {
  status: 403,
  message: 'API Key does not have permission to access this resource',
};
const invalidKey: Refusal = { status: 401, message: 'Invalid API Key' };

const refusedHeader = (name: string, { is }: Header): Refusal | undefined =>
  is === 'good'
    ? undefined
    : { status: 400, message: `${name} is ${is === 'missing' ? 'required' : 'invalid'}` };

const includesAny = (list: unknown, wanted: readonly string[]) =>
  Array.isArray(list) && list.some((member) => wanted.includes(member));

const refusedKey = (state: State, { apiKey, tenant }: ModelRequest): Refusal | undefined => {
  if (apiKey.is !== 'good') return invalidKey;
  const key = find(state, 'apiKeys', { keyHash: sha256(apiKey.sent ?? '') });
  if (!key || 'revokedAt' in key) return invalidKey;
  if (typeof key['expiresAt'] === 'number' && key['expiresAt'] <= state.now / 1000) return invalidKey;
  const permitted =
    key['tenantId'] === tenant.sent &&
    key['scope'] === 'PRODUCT' &&
    includesAny(key['roles'], ['admin', 'editor']);
  return permitted ? undefined : noPermission;
};

const refusedSpace = (state: State, { tenant, user, spaceId }: ModelRequest): Refusal | undefined => {
  const space = find(state, 'spaces', { tenantId: tenant.sent, spaceId });
  if (!space) return { status: 404, message: 'Space not found' };
  return space['visibility'] === 'public' || space['ownerId'] === user.sent ? undefined : noPermission;
};

/** Rows 1 to 5 of the contract: why the request never comes to a write. */
export const refusalBeforeWrite = (state: State, request: ModelRequest): Refusal | undefined =>
  refusedHeader('x-user-id', request.user) ??
  refusedHeader('x-tenant-id', request.tenant) ??
  refusedKey(state, request) ??
  ('refusal' in request.body.means ? request.body.means.refusal : undefined) ??
  refusedSpace(state, request);

/** The stored version; a file that the operation never wrote has the tag "0". */
export const versionOf = (file: Item | undefined): number =>
  typeof file?.['version'] === 'number' ? file['version'] : 0;

/** Row 6: why the write itself is refused, by the file as it stands at that moment. */
export const refusalOfWrite = (state: State, request: ModelRequest): Refusal | undefined => {
  const file = find(state, 'files', request);
  if (!file) return { status: 404, message: 'File not found' };
  const meets = request.ifMatch.meets(versionOf(file));
  if (meets === 'unreadable') return { status: 400, message: 'If-Match is invalid' };
  if (meets) return undefined;
  const headers = { etag: `"${versionOf(file)}"` };
  return { status: 412, message: 'File was changed by another request', headers };
};

/** A file after a patch; `stamp` is the bookkeeping of the write. */
export const patched = (file: Item, patch: Patch, stamp: Item): Item => {
  const set = Object.entries(patch).filter(([, value]) => value !== null);
  const kept = Object.entries(file).filter(([name]) => !Object.entries(patch).some(([n]) => n === name));
  return Object.fromEntries([...kept, ...set, ...Object.entries(stamp)]);
};

/** What a client sees of a file: one of the two shapes, and nothing else. */
export const viewOf = (file: Item): Item => {
  const { fileId: id, originalName, summary = null, language, documentKind = null, domain } = file;
  const { chunksCount, charactersCount, tags = [] } = file;
  const basic = { id, summary, language, documentKind, domain, tags };
  return originalName === undefined ? basic : { ...basic, originalName, chunksCount, charactersCount };
};
