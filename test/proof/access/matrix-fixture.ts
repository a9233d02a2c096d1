import { anEvent } from '#test/support/event.ts';
import { aFile, anApiKey, NOW } from '#test/support/given.ts';
import { type Cell, type IssuedKey, spaces } from './cells.ts';
import { type Backend, sha256 } from './engines/backend.ts';
import type { Verdict } from './oracle.ts';

const apiKeyRecord = ({ state, scope, roles, sent }: IssuedKey) => {
  const { key: _, scope: __, ...rest } = anApiKey({ roles, keyId: sent });
  return {
    ...rest,
    keyHash: sha256(sent),
    ...(scope !== 'missing' && { scope }),
    ...(state === 'revoked' && { revokedAt: NOW / 1000 + 1000 }),
    // To the second: a key is void from that very moment on.
    ...(state === 'expired' && { expiresAt: NOW / 1000 }),
  };
};

const storedSpaces = spaces.flatMap((space) => ('visibility' in space ? [space] : []));

/** Every record that a cell of these keys can name. */
export const fillTables = async ({ put }: Backend, keys: readonly IssuedKey[]) => {
  for (const key of keys) await put('apiKeys', apiKeyRecord(key));
  for (const { is, spaceId, visibility, owner } of storedSpaces) {
    const tenantId = is === 'of others' ? 'globex' : 'acme';
    await put('spaces', { tenantId, spaceId, visibility, ...(owner && { ownerId: owner }) });
    await put('files', aFile({ spaceId, fileId: 'twin' }));
  }
  await put('spaces', { tenantId: 'acme', spaceId: 'elsewhere', visibility: 'public', ownerId: 'ada' });
  await put('files', aFile({ spaceId: 'elsewhere', fileId: 'lone' }));
};

/** The request of a cell. */
export const eventOf = ({ key, tenant, user, space, file }: Cell, summary: string) =>
  anEvent({
    headers: { 'x-api-key': key.sent, 'x-tenant-id': tenant.sent, 'x-user-id': user.sent },
    spaceId: space.spaceId,
    fileId: file.fileId,
    body: JSON.stringify({ summary }),
  });

/** The calls that a verdict allows: before the key is proven, nothing but that key and that space. */
export const callsOf = ({ key, tenant, space, file }: Cell, { calls }: Verdict): readonly string[] => {
  if (calls === 'none') return [];
  const spaceRead = space.is === 'impossible' ? '' : ` spaces["${tenant.sent}","${space.spaceId}"]`;
  const read = `read apiKeys["${sha256(key.sent ?? '')}"]${spaceRead}`;
  return calls === 'read' ? [read] : [read, `update files["${space.spaceId}","${file.fileId}"]`];
};
