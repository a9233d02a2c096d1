import { createHash } from 'node:crypto';
import { refusalOfKey, refusalOfSpace } from './access.ts';
import type { ApiKeyRecord, SpaceRecord } from './records.ts';
import { badRequest, invalidKey, type Refusal } from './refusal.ts';
import type { Store } from './store.ts';

type SpaceKey = { readonly tenantId: string; readonly spaceId: string };
type Identified = SpaceKey & { readonly keyHash: string; readonly userId: string };

const whenIdentified =
  (admit: (visit: Identified) => Promise<Refusal | undefined>): Store['admit'] =>
  async ({ apiKey, tenantId, userId, spaceId }) => {
    if (!userId) return badRequest('x-user-id is required');
    if (!tenantId) return badRequest('x-tenant-id is required');
    if (!apiKey) return invalidKey;
    const keyHash = createHash('sha256').update(apiKey).digest('hex');
    return admit({ keyHash, tenantId, userId, spaceId });
  };

/** As commonly written: the key is read and checked, then the space. */
export const admitInTurn = (
  readApiKey: (keyHash: string) => Promise<ApiKeyRecord | undefined>,
  readSpace: (key: SpaceKey) => Promise<SpaceRecord | undefined>,
): Store['admit'] =>
  whenIdentified(
    async ({ keyHash, tenantId, userId, spaceId }) =>
      refusalOfKey(await readApiKey(keyHash), tenantId) ??
      refusalOfSpace(await readSpace({ tenantId, spaceId }), userId),
  );

/** As we do it: both in one call. */
export const admitAtOnce = (
  readBoth: (
    keyHash: string,
    key: SpaceKey,
  ) => Promise<{ apiKey: ApiKeyRecord | undefined; space: SpaceRecord | undefined }>,
): Store['admit'] =>
  whenIdentified(async ({ keyHash, tenantId, userId, spaceId }) => {
    const { apiKey, space } = await readBoth(keyHash, { tenantId, spaceId });
    return refusalOfKey(apiKey, tenantId) ?? refusalOfSpace(space, userId);
  });
